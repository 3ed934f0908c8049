package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import java.util.List;

/** A command-line client that takes T-SQL and prints what comes back as text. */
interface SqlTool {
    /**
     * What a tool printed.
     *
     * @param rows of all results, in order
     * @param errors their numbers, in order
     * @param said all that it wrote about the results, errors and messages among it
     */
    record Printed(List<List<String>> rows, List<String> errors, String said) {}

    String name();

    Tls tls();

    Traits traits();

    /** Runs the batches, each of which is one line, in one session. */
    Printed run(Target target, List<String> batches) throws Exception;
}
