package dev.comporta.ops.config.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The result of one reading of the files: the problems, and the value that is in force for each key. Confined to the thread
 * that reads.
 */
public final class Findings {
    /**
     * A setting in force.
     *
     * @param value as it would be written in the file, a secret masked
     * @param origin the place in a file, or that it is a default
     */
    public record Effective(String path, String value, String origin) {}

    private final Set<Problem> problems = new LinkedHashSet<>();
    private final Map<String, Effective> effective = new LinkedHashMap<>();

    public void error(Location where, String key, String what, String advice) {
        problems.add(new Problem(Problem.Severity.ERROR, where, key, what, advice));
    }

    public void warn(Location where, String key, String what, String advice) {
        problems.add(new Problem(Problem.Severity.WARNING, where, key, what, advice));
    }

    void note(String path, String value, String origin) {
        effective.put(path, new Effective(path, value, origin));
    }

    public boolean hasErrors() {
        return problems.stream().anyMatch(problem -> problem.severity() == Problem.Severity.ERROR);
    }

    /** Errors first, then warnings, each in the order of the files. */
    public List<Problem> problems() {
        List<Problem> sorted = new ArrayList<>(problems);
        sorted.sort((a, b) -> {
            int bySeverity = a.severity().compareTo(b.severity());
            return bySeverity != 0 ? bySeverity : a.where().compareTo(b.where());
        });
        return List.copyOf(sorted);
    }

    public List<Effective> effective() {
        return List.copyOf(effective.values());
    }
}
