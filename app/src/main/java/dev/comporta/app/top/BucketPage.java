package dev.comporta.app.top;

import dev.comporta.app.admin.Answer;
import dev.comporta.app.admin.ResultTable;
import dev.comporta.app.text.Cells;
import dev.comporta.app.text.TextTable;
import dev.comporta.app.text.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The details of one bucket: its pins, waiting requests, logins and clients.
 *
 * @param parts one for each instance that answered
 */
record BucketPage(String bucket, List<Part> parts) {
    /** More rows than anyone reads; a bucket may have tens of thousands of clients. */
    private static final int AT_MOST = 100;

    private static final int WORD_CELLS = 24;

    static final BucketPage NONE = new BucketPage("", List.of());

    /** The rows of one instance. */
    record Part(String instance, ResultTable pins, ResultTable waiters, ResultTable logins, ResultTable clients) {
        static String query(String bucket) {
            String name = "'" + bucket.replace("'", "''") + "'";
            String top = "SELECT TOP " + AT_MOST + " ";
            String client = "client_id, login, application, host_name, address, state";
            return top + client + ", pin_reason, pin_age_ms FROM sys.clients WHERE bucket = " + name
                    + " AND pin_reason IS NOT NULL ORDER BY pin_age_ms DESC;\n"
                    + top + "place, waited_ms, login, client_id FROM sys.waiters WHERE bucket = " + name
                    + " ORDER BY place;\n"
                    + top + "local_user, profile, active_connections, idle_connections, waiting_requests,"
                    + " total_acquires, avg_acquire_wait_ms FROM sys.remote_user_pool_stats WHERE server_name = " + name
                    + " ORDER BY active_connections DESC, local_user;\n"
                    + top + client + ", requests, DATEDIFF_BIG(millisecond, last_request, SYSUTCDATETIME()) AS quiet_ms"
                    + " FROM sys.clients WHERE bucket = " + name
                    + " ORDER BY CASE state WHEN 'waiting' THEN 0 WHEN 'active' THEN 1 WHEN 'pinned' THEN 2 ELSE 3 END,"
                    + " client_id";
        }

        static Part of(String instance, Answer answer) {
            List<ResultTable> results = answer.results();
            return new Part(instance, results.get(0), results.get(1), results.get(2), results.get(3));
        }
    }

    /** A column, and the function that takes its text from a row. */
    private record Shown(Column column, Function<ResultTable.Row, String> value) {}

    BucketPage {
        parts = List.copyOf(parts);
    }

    /** @return at most {@code room} lines */
    List<Line> lines(FleetSight fleet, Screen screen, int room) {
        List<Line> lines = new ArrayList<>();
        BucketSum sum = sum(fleet, screen.selected());
        if (sum == null) {
            lines.add(Line.bold(Cells.clean("No instance that answers has the bucket " + screen.selected() + ".")));
            return lines;
        }
        lines.add(new Line(Frame.look(sum), Cells.clean(title(sum))));
        lines.add(Line.plain(
                "%s, %s in use (%s pinned), %s idle, limit %s, %s waiting, %s requests/s, wait p99 %s, query p99 %s"
                        .formatted(
                                Numbers.count(sum.clients(), "client"),
                                Numbers.count(sum.active()),
                                Numbers.count(sum.pinned()),
                                Numbers.count(sum.idle()),
                                Numbers.count(sum.limit()),
                                Numbers.count(sum.waiting()),
                                Numbers.rate(sum.requestsPerSecond()),
                                Numbers.millis(sum.waitP99()),
                                Numbers.millis(sum.queryP99()))));
        List<Line> below = below(sum);
        int left = below(room);
        int from = Math.min(screen.scroll(), deepest(fleet, screen, room));
        lines.addAll(below.subList(from, Math.min(below.size(), from + left)));
        return lines;
    }

    /** The number of lines to scroll until the last one is visible. */
    int deepest(FleetSight fleet, Screen screen, int room) {
        BucketSum sum = sum(fleet, screen.selected());
        return sum == null ? 0 : Math.max(0, below(sum).size() - below(room));
    }

    /** The number of lines below the two that do not scroll. */
    private static int below(int room) {
        return Math.max(1, room - 2);
    }

    private List<Line> below(BucketSum sum) {
        return bucket.equals(sum.bucket()) && !parts.isEmpty()
                ? sections(sum)
                : List.of(Line.plain(""), Line.dim("Asking."));
    }

    private static @Nullable BucketSum sum(FleetSight fleet, String bucket) {
        return fleet.buckets().stream()
                .filter(one -> one.bucket().equals(bucket))
                .findFirst()
                .orElse(null);
    }

    private static String title(BucketSum sum) {
        return "bucket " + sum.bucket() + " is " + sum.shownState()
                + (sum.reason().isEmpty() ? "" : ": " + sum.reason());
    }

    private List<Line> sections(BucketSum sum) {
        List<Line> lines = new ArrayList<>();
        section(
                lines,
                "Pins",
                sum.pinned(),
                Part::pins,
                text("reason", "pin_reason"),
                millis("age", "pin_age_ms"),
                number("client", "client_id"),
                word("login", "login"),
                word("application", "application"),
                word("host", "host_name"),
                text("address", "address"),
                text("state", "state"));
        section(
                lines,
                "Waiting",
                sum.waiting(),
                Part::waiters,
                number("place", "place"),
                millis("waited", "waited_ms"),
                number("client", "client_id"),
                word("login", "login"));
        section(
                lines,
                "Logins and profiles",
                -1,
                Part::logins,
                word("login", "local_user"),
                text("profile", "profile"),
                number("in use", "active_connections"),
                number("idle", "idle_connections"),
                number("waiting", "waiting_requests"),
                number("acquired", "total_acquires"),
                millis("mean wait", "avg_acquire_wait_ms"));
        section(
                lines,
                "Clients",
                sum.clients(),
                Part::clients,
                number("client", "client_id"),
                text("state", "state"),
                word("login", "login"),
                word("application", "application"),
                word("host", "host_name"),
                text("address", "address"),
                number("requests", "requests"),
                millis("last", "quiet_ms"));
        return lines;
    }

    private static Shown text(String title, String name) {
        return new Shown(Column.text(title), row -> row.text(name));
    }

    private static Shown word(String title, String name) {
        return new Shown(Column.text(title, WORD_CELLS), row -> row.text(name));
    }

    private static Shown number(String title, String name) {
        return new Shown(Column.number(title), row -> row.text(name));
    }

    private static Shown millis(String title, String name) {
        return new Shown(Column.number(title), row -> Numbers.millis(row.decimalOrNull(name)));
    }

    /** @param total the number of rows in the bucket; negative if unknown */
    private void section(List<Line> to, String title, int total, Function<Part, ResultTable> rows, Shown... shown) {
        List<List<String>> cells = new ArrayList<>();
        for (Part part : parts) {
            for (ResultTable.Row row : rows.apply(part).rows()) {
                List<String> line = new ArrayList<>();
                for (Shown each : shown) {
                    line.add(each.value().apply(row));
                }
                line.add(part.instance());
                cells.add(line);
            }
        }
        List<Column> all = new ArrayList<>();
        for (Shown each : shown) {
            all.add(each.column());
        }
        all.add(Column.text("instance", WORD_CELLS));
        to.add(Line.plain(""));
        // The total and the rows were counted at different moments: unless a list was cut, a difference means nothing.
        boolean cut = parts.stream().anyMatch(part -> rows.apply(part).rows().size() == AT_MOST);
        String beyond = cut && total > cells.size() ? " of " + Numbers.count(total) : "";
        to.add(Line.bold(title + ": " + (cells.isEmpty() ? "none" : Numbers.count(cells.size()) + beyond)));
        if (!cells.isEmpty()) {
            List<String> lines = new TextTable(all).lines(cells, false);
            to.add(Line.dim(lines.getFirst()));
            lines.subList(1, lines.size()).forEach(line -> to.add(Line.plain(line)));
        }
    }
}
