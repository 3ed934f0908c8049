package dev.comporta.app.text;

import java.util.ArrayList;
import java.util.List;

/** Lays rows out in columns that fit their content. Harmful characters are removed. */
public final class TextTable {
    private static final String GAP = "  ";

    /**
     * @param right whether it is aligned to the right, as for numbers
     * @param atMost the maximum width in cells; longer text is cut
     */
    public record Column(String title, boolean right, int atMost) {
        public static Column text(String title) {
            return new Column(title, false, Integer.MAX_VALUE);
        }

        /** A column of text of any length. */
        public static Column text(String title, int atMost) {
            return new Column(title, false, atMost);
        }

        public static Column number(String title) {
            return new Column(title, true, Integer.MAX_VALUE);
        }
    }

    private final List<Column> columns;

    public TextTable(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /** The width of each column in cells, its title included. */
    private int[] widths(List<List<String>> rows) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Cells.width(columns.get(i).title());
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], Cells.width(row.get(i)));
            }
        }
        return widths;
    }

    /** The titles, optionally a rule below them, and a line for each row. */
    public List<String> lines(List<List<String>> rows, boolean rule) {
        List<List<String>> clean = rows.stream().map(this::clean).toList();
        int[] widths = widths(clean);
        List<String> lines = new ArrayList<>();
        lines.add(line(columns.stream().map(Column::title).toList(), widths));
        if (rule) {
            List<String> rules = new ArrayList<>();
            for (int width : widths) {
                rules.add("-".repeat(width));
            }
            lines.add(line(rules, widths));
        }
        clean.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private List<String> clean(List<String> row) {
        List<String> clean = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            clean.add(Cells.cut(Cells.clean(row.get(i)), columns.get(i).atMost()));
        }
        return clean;
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : GAP)
                    .append(Cells.pad(row.get(i), widths[i], columns.get(i).right()));
        }
        return line.toString().stripTrailing();
    }
}
