package dev.comporta.monitoring.board;

import java.util.ArrayList;
import java.util.List;

/** Writes a panel in Grafana's format: the differences between the kinds of panels. */
final class PanelFile {
    private PanelFile() {}

    static Members write(Panel panel, Members to) {
        to.put("type", panel.kind().id)
                .put("title", panel.title())
                .put("description", panel.description())
                .put("datasource", BoardFile.DATASOURCE)
                .put("fieldConfig", fieldConfig(panel))
                .put("options", options(panel))
                .put("targets", targets(panel));
        if (panel.kind() == Kind.TABLE) {
            to.put("transformations", asOneTable(panel));
        }
        return to;
    }

    private static List<Members> targets(Panel panel) {
        List<Members> all = new ArrayList<>();
        for (Target target : panel.targets()) {
            Members one = new Members()
                    .put("refId", refId(all.size()))
                    .put("datasource", BoardFile.DATASOURCE)
                    .put("expr", target.query().text())
                    .put("legendFormat", target.legend().isEmpty() ? "__auto" : target.legend());
            switch (panel.kind()) {
                case TABLE -> one.put("format", "table").put("instant", true);
                case STAT, BARS -> one.put("instant", true);
                case HEAT -> one.put("format", "heatmap");
                case LINES, AREAS, STATES -> one.put("range", true);
            }
            all.add(one);
        }
        return all;
    }

    private static String refId(int index) {
        return Character.toString('A' + index);
    }

    private static Members fieldConfig(Panel panel) {
        Members defaults = new Members().put("unit", panel.unit().id);
        if (panel.kind() == Kind.LINES || panel.kind() == Kind.AREAS) {
            defaults.put("min", 0).put("custom", drawing(panel));
        }
        if (panel.kind() == Kind.BARS) {
            defaults.put("min", 0).put("max", 1);
        }
        defaults.put("color", new Members().put("mode", hasColours(panel) ? "thresholds" : "palette-classic"));
        defaults.put("thresholds", thresholds(panel));
        return new Members().put("defaults", defaults).put("overrides", overrides(panel));
    }

    private static boolean hasColours(Panel panel) {
        return switch (panel.kind()) {
            case STAT, BARS, STATES -> true;
            case LINES, AREAS, HEAT, TABLE -> false;
        };
    }

    private static Members drawing(Panel panel) {
        boolean areas = panel.kind() == Kind.AREAS;
        Members drawing = new Members()
                .put("drawStyle", "line")
                .put("lineWidth", 1)
                .put("fillOpacity", areas ? 30 : 0)
                .put("showPoints", "never")
                .put("stacking", new Members().put("mode", areas ? "normal" : "none"));
        if (!Double.isNaN(panel.warnAt())) {
            drawing.put("thresholdsStyle", new Members().put("mode", "line"));
        }
        return drawing;
    }

    private static Members thresholds(Panel panel) {
        List<Members> steps = new ArrayList<>();
        // The first step has no value: it is the colour of everything below the others.
        steps.add(new Members().put("color", panel.inverted() ? "red" : "green"));
        if (!Double.isNaN(panel.warnAt())) {
            steps.add(new Members()
                    .put("color", panel.inverted() ? "green" : "red")
                    .put("value", panel.warnAt()));
        }
        return new Members().put("mode", "absolute").put("steps", steps);
    }

    private static Object overrides(Panel panel) {
        if (panel.kind() != Kind.TABLE) {
            return List.of();
        }
        return Members.json("""
                [{
                  "matcher": {"id": "byName", "options": "bucket"},
                  "properties": [{
                    "id": "links",
                    "value": [{
                      "title": "Look into it",
                      "url": "/d/comporta-bucket?var-bucket=${__value.text}&${__url_time_range}"
                    }]
                  }]
                }]""");
    }

    private static Object options(Panel panel) {
        return switch (panel.kind()) {
            case STAT -> Members.json("""
                    {
                      "colorMode": "value", "graphMode": "none", "textMode": "value",
                      "reduceOptions": {"calcs": ["lastNotNull"]}
                    }""");
            case LINES, AREAS -> Members.json("""
                    {
                      "legend": {
                        "displayMode": "table", "placement": "bottom", "showLegend": true, "calcs": ["lastNotNull", "max"]
                      },
                      "tooltip": {"mode": "multi", "sort": "desc"}
                    }""");
            case BARS -> Members.json("""
                    {
                      "orientation": "horizontal", "displayMode": "gradient",
                      "reduceOptions": {"calcs": ["lastNotNull"]}
                    }""");
            case HEAT ->
                new Members()
                        .put("calculate", false)
                        .put("yAxis", new Members().put("unit", panel.unit().id))
                        .put("legend", new Members().put("show", true));
            case STATES -> Members.json("""
                    {
                      "mergeValues": true, "showValue": "never",
                      "legend": {"showLegend": true, "displayMode": "list"}
                    }""");
            case TABLE ->
                new Members()
                        .put("showHeader", true)
                        .put(
                                "sortBy",
                                List.of(new Members()
                                        .put("displayName", first(panel))
                                        .put("desc", true)));
        };
    }

    private static String first(Panel panel) {
        return panel.targets().getFirst().legend();
    }

    /** One line for each bucket, with a column for each query. */
    private static List<Members> asOneTable(Panel panel) {
        Members names = new Members();
        for (int i = 0; i < panel.targets().size(); i++) {
            names.put("Value #" + refId(i), panel.targets().get(i).legend());
        }
        Members columns = new Members().put("excludeByName", new Members().put("Time", true));
        return List.of(
                new Members().put("id", "merge").put("options", new Members()),
                new Members().put("id", "organize").put("options", columns.put("renameByName", names)));
    }
}
