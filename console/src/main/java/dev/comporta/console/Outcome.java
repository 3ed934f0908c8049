package dev.comporta.console;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import java.util.List;

/** The result of one statement. */
public sealed interface Outcome {
    record Rows(List<Column> columns, List<Row> rows) implements Outcome {}

    /** @param message for people; empty for a statement that reports nothing, such as SET NOCOUNT ON */
    record Done(String message) implements Outcome {}

    /**
     * The statement failed, and those after it did not run.
     *
     * @param number SQL Server's number for such an error; 50000 for errors that only a console has
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
