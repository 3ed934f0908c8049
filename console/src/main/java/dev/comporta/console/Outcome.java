package dev.comporta.console;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import java.util.List;

/** What one statement came to. */
public sealed interface Outcome {
    record Rows(List<Column> columns, List<Row> rows) implements Outcome {}

    /** @param message for people; empty for a statement that says nothing, such as SET NOCOUNT ON */
    record Done(String message) implements Outcome {}

    /**
     * The statement failed, and those behind it did not run.
     *
     * @param number as SQL Server numbers such an error; 50000 for what only a console can refuse
     * @param line counted from 1
     * @param column counted from 1
     */
    record Failed(int number, String message, int line, int column) implements Outcome {
        /** For a protocol that has no field for the column. */
        public String messageWithPosition() {
            return message + " (line " + line + ", column " + column + ")";
        }
    }
}
