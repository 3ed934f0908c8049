package dev.comporta.ops.config;

import dev.comporta.ops.config.yaml.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Files that can't be used; its message has a line for each problem. */
public final class ConfigurationException extends RuntimeException {
    private final transient List<Problem> problems;

    ConfigurationException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
