package dev.comporta.monitoring.board;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.comporta.monitoring.board.Board.Row;
import dev.comporta.monitoring.board.Board.Variable;
import java.util.ArrayList;
import java.util.List;

/** Writes a dashboard in the format of Grafana 10 and later. */
public final class BoardFile {
    /** Grafana's variable: at least four scrapes, and no less than a point of the graph. */
    public static final String STEP = "$__rate_interval";

    static final Members DATASOURCE = new Members().put("type", "prometheus").put("uid", "${datasource}");

    private static final int COLUMNS = 24;
    private static final int SCHEMA = 39;
    private static final ObjectWriter WRITER = new ObjectMapper()
            .writer(new DefaultPrettyPrinter()
                    .withObjectIndenter(new DefaultIndenter("  ", "\n"))
                    .withArrayIndenter(new DefaultIndenter("  ", "\n")));

    private BoardFile() {}

    public static String of(Board board) {
        Members out = new Members()
                .put("uid", board.id())
                .put("title", board.title())
                .put("description", board.description() + " Made by `./comporta monitoring`.")
                .put("tags", List.of("comporta"))
                .put("schemaVersion", SCHEMA)
                .put("editable", true)
                .put("graphTooltip", 1)
                .put("refresh", "30s")
                .put("time", new Members().put("from", "now-3h").put("to", "now"))
                .put("timezone", "browser")
                .put("links", links())
                .put("annotations", new Members().put("list", List.of(alerts())))
                .put("templating", new Members().put("list", variables(board)))
                .put("panels", panels(board.rows()));
        try {
            return WRITER.writeValueAsString(out) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e); // can't happen: the content is maps, lists, texts and numbers
        }
    }

    private static Object links() {
        return Members.json("""
                [{
                  "type": "dashboards", "title": "Comporta", "tags": ["comporta"],
                  "asDropdown": false, "includeVars": true, "keepTime": true
                }]""");
    }

    private static Members alerts() {
        return new Members()
                .put("name", "Alerts")
                .put("datasource", DATASOURCE)
                .put("enable", true)
                .put("iconColor", "red")
                .put("expr", "ALERTS{alertname=~\"Comporta.+\", alertstate=\"firing\", severity!=\"info\"}")
                .put("titleFormat", "{{alertname}}")
                .put("textFormat", "{{instance}} {{exported_instance}} {{bucket}} {{reason}}");
    }

    private static List<Object> variables(Board board) {
        List<Object> all = new ArrayList<>();
        all.add(Members.json("""
                {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}"""));
        for (Variable variable : board.variables()) {
            String values = "label_values(" + variable.values().text() + ", " + variable.label() + ")";
            Members chosen = new Members()
                    .put("name", variable.label())
                    .put("label", variable.title())
                    .put("type", "query")
                    .put("datasource", DATASOURCE)
                    .put("query", new Members().put("query", values).put("refId", variable.label()))
                    .put("definition", values)
                    .put("refresh", 2)
                    .put("sort", 1)
                    .put("multi", variable.several())
                    .put("includeAll", variable.several());
            if (variable.several()) {
                chosen.put("current", new Members().put("text", "All").put("value", List.of("$__all")));
            }
            all.add(chosen);
        }
        return all;
    }

    /** Places the panels from left to right, then from top to bottom; each row begins on a new line. */
    private static List<Members> panels(List<Row> rows) {
        List<Members> all = new ArrayList<>();
        int y = 0;
        for (Row row : rows) {
            all.add(new Members()
                    .put("id", all.size() + 1)
                    .put("type", "row")
                    .put("title", row.title())
                    .put("collapsed", false)
                    .put("gridPos", position(0, y, COLUMNS, 1))
                    .put("panels", List.of()));
            y++;
            int x = 0;
            int height = 0;
            for (Panel panel : row.panels()) {
                if (x + panel.width() > COLUMNS) {
                    x = 0;
                    y += height;
                    height = 0;
                }
                Members placed = new Members().put("id", all.size() + 1);
                placed.put("gridPos", position(x, y, panel.width(), panel.height()));
                all.add(PanelFile.write(panel, placed));
                x += panel.width();
                height = Math.max(height, panel.height());
            }
            y += height;
        }
        return all;
    }

    private static Members position(int x, int y, int width, int height) {
        return new Members().put("x", x).put("y", y).put("w", width).put("h", height);
    }
}
