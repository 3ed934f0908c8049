package dev.comporta.ops.config;

import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Problem;
import java.util.List;
import java.util.Optional;

/**
 * What came of reading the files.
 *
 * @param configuration absent when there is an error among the problems
 * @param effective every setting in force, in the order of the files, secrets masked
 */
public record Reading(
        Optional<Configuration> configuration, List<Problem> problems, List<Findings.Effective> effective) {
    public Configuration orThrow() {
        return configuration.orElseThrow(() -> new ConfigurationException(problems));
    }
}
