package dev.comporta.app.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.comporta.app.text.Cells;
import dev.comporta.app.text.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How an answer is printed. */
public enum AnswerFormat {
    /** For people: columns side by side. */
    TABLE {
        @Override
        void print(ResultTable table, PrintWriter to) {
            List<TextTable.Column> columns = table.columns().stream()
                    .map(column -> column.isNumber()
                            ? TextTable.Column.number(column.name())
                            : TextTable.Column.text(column.name()))
                    .toList();
            List<List<String>> rows = table.rows().stream()
                    .map(row -> texts(table, row, AnswerFormat::shown))
                    .toList();
            new TextTable(columns).lines(rows, true).forEach(to::println);
            to.println(rows.size() == 1 ? "(1 row)" : "(" + rows.size() + " rows)");
        }
    },

    /** For spreadsheets and scripts (RFC 4180): NULL is empty, and control characters other than line breaks are replaced. */
    CSV {
        @Override
        void print(ResultTable table, PrintWriter to) {
            to.println(table.columns().stream()
                    .map(column -> quoted(column.name()))
                    .collect(Collectors.joining(",")));
            for (ResultTable.Row row : table.rows()) {
                to.println(String.join(",", texts(table, row, value -> value.isNull() ? "" : quoted(value.asText()))));
            }
        }
    },

    /** The API's JSON, on one line; empty if it contains nothing but an error. */
    JSON {
        @Override
        void print(ResultTable table, PrintWriter to) {
            throw new IllegalStateException("an answer is one object");
        }

        @Override
        public void print(Answer answer, PrintWriter to) {
            if (!answer.results().isEmpty()
                    || !answer.messages().isEmpty()
                    || !answer.json().has("error")) {
                to.println(answer.json());
            }
        }
    };

    private interface Shown {
        String of(JsonNode value);
    }

    abstract void print(ResultTable table, PrintWriter to);

    public void print(Answer answer, PrintWriter to) {
        boolean first = true;
        for (ResultTable table : answer.results()) {
            if (!first) {
                to.println();
            }
            first = false;
            print(table, to);
        }
        answer.messages().forEach(message -> message.lines().map(Cells::clean).forEach(to::println));
    }

    private static List<String> texts(ResultTable table, ResultTable.Row row, Shown shown) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            texts.add(shown.of(row.value(i)));
        }
        return texts;
    }

    private static String shown(JsonNode value) {
        if (value.isNull()) {
            return "NULL";
        }
        return value.isFloatingPointNumber() ? String.format(Locale.ROOT, "%.3f", value.asDouble()) : value.asText();
    }

    private static String quoted(String text) {
        String clean = text.lines().map(Cells::clean).collect(Collectors.joining("\n"));
        boolean plain = clean.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n') && clean.equals(clean.strip());
        return plain ? clean : '"' + clean.replace("\"", "\"\"") + '"';
    }
}
