package dev.comporta.ops.config;

import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Problem;
import dev.comporta.ops.config.yaml.YamlFile;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The result of reading the files.
 *
 * @param configuration absent when there is an error among the problems
 * @param effective every setting in force, in the order of the files, secrets masked
 * @param changed reads the same texts again, with changes
 */
public record Reading(
        Optional<Configuration> configuration,
        List<Problem> problems,
        List<Findings.Effective> effective,
        Function<Overlay, Reading> changed) {
    /** A configuration that did not come from files, and can't be changed. */
    public static Reading fixed(Configuration configuration) {
        Problem noFiles = new Problem(
                Problem.Severity.ERROR,
                YamlFile.EDITED,
                "",
                "This instance was started without files.",
                "Start it with files to change its settings.");
        Reading unchangeable =
                new Reading(Optional.empty(), List.of(noFiles), List.of(), _ -> Reading.fixed(configuration));
        return new Reading(Optional.of(configuration), List.of(), List.of(), _ -> unchangeable);
    }

    public Configuration orThrow() {
        return configuration.orElseThrow(() -> new ConfigurationException(problems));
    }
}
