package dev.comporta.monitoring.board;

import dev.comporta.monitoring.query.Query;
import java.util.ArrayList;
import java.util.List;

/**
 * A panel of a dashboard.
 *
 * @param description shown when the mouse is over its title
 * @param warnAt the figure from which on it is yellow or red; NaN if there is none
 * @param inverted whether figures below {@code warnAt}, not above it, are bad
 * @param width in Grafana's columns, of which a row has 24
 */
record Panel(
        String title,
        String description,
        Kind kind,
        Unit unit,
        List<Target> targets,
        double warnAt,
        boolean inverted,
        int width) {
    private static final int STAT_WIDTH = 3;
    private static final int USUAL_WIDTH = 8;
    private static final int ALL = 24;

    Panel {
        targets = List.copyOf(targets);
    }

    private static Panel of(String title, String description, Kind kind, Unit unit, int width) {
        return new Panel(title, description, kind, unit, List.of(), Double.NaN, false, width);
    }

    static Panel stat(String title, String description, Unit unit, Query query) {
        return of(title, description, Kind.STAT, unit, STAT_WIDTH).line(query, "");
    }

    static Panel count(String title, String description, Query query) {
        return stat(title, description, Unit.COUNT, query);
    }

    static Panel lines(String title, String description, Unit unit) {
        return of(title, description, Kind.LINES, unit, USUAL_WIDTH);
    }

    static Panel areas(String title, String description, Unit unit) {
        return of(title, description, Kind.AREAS, unit, USUAL_WIDTH);
    }

    static Panel bars(String title, String description, Unit unit) {
        return of(title, description, Kind.BARS, unit, USUAL_WIDTH);
    }

    static Panel heat(String title, String description, Query query) {
        return of(title, description, Kind.HEAT, Unit.SECONDS, USUAL_WIDTH).line(query, "{{le}}");
    }

    static Panel states(String title, String description) {
        return of(title, description, Kind.STATES, Unit.COUNT, USUAL_WIDTH);
    }

    static Panel table(String title, String description) {
        return of(title, description, Kind.TABLE, Unit.COUNT, ALL);
    }

    Panel line(Query query, String legend) {
        List<Target> more = new ArrayList<>(targets);
        more.add(new Target(query, legend));
        return new Panel(title, description, kind, unit, more, warnAt, inverted, width);
    }

    Panel badFrom(double bound) {
        return new Panel(title, description, kind, unit, targets, bound, false, width);
    }

    Panel badBelow(double bound) {
        return new Panel(title, description, kind, unit, targets, bound, true, width);
    }

    int height() {
        return switch (kind) {
            case STAT -> 4;
            case LINES, AREAS, BARS, HEAT, STATES -> 8;
            case TABLE -> 10;
        };
    }
}
