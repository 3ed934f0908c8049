package dev.comporta.e2e.matrix;

import java.util.List;

/**
 * All that came of a scenario.
 *
 * @param found the facts that the scenario asks for
 * @param besides whatever else the driver showed, line by line
 * @param leaves what is in the scenario's table afterwards
 */
record Outcome(List<String> found, List<String> besides, String leaves) {
    /** As the driver said it, but for the table's name, which is another each time. */
    static Outcome of(Facts facts, String table, String leaves) {
        return new Outcome(
                facts.found(),
                facts.besides().stream()
                        .flatMap(String::lines)
                        .map(line -> line.replace(table, "matrix_table"))
                        .toList(),
                leaves);
    }
}
