package dev.comporta.app.top;

import dev.comporta.app.admin.Answer;
import dev.comporta.app.admin.ResultTable;
import dev.comporta.app.text.Cells;
import dev.comporta.app.text.TextTable;
import dev.comporta.app.text.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in one bucket, one by one.
 *
 * @param parts one for each instance that answered
 */
record BucketPage(String bucket, List<Part> parts) {
    /** More than anyone reads; the clients of a bucket may be tens of thousands. */
    private static final int AT_MOST = 100;

    private static final int WORD_CELLS = 24;

    static final BucketPage NONE = new BucketPage("", List.of());

    /** What an instance says of it. */
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

    private interface Rows {
        ResultTable of(Part part);
    }

    private interface Shown {
        List<String> of(ResultTable.Row row);
    }

    BucketPage {
        parts = List.copyOf(parts);
    }

    /** @return at most so many lines */
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

    /** How far its lines can be scrolled until the last one is seen. */
    int deepest(FleetSight fleet, Screen screen, int room) {
        BucketSum sum = sum(fleet, screen.selected());
        return sum == null ? 0 : Math.max(0, below(sum).size() - below(room));
    }

    /** What is left below the two lines that stay. */
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
                List.of(
                        Column.text("reason"),
                        Column.number("age"),
                        Column.number("client"),
                        word("login"),
                        word("application"),
                        word("host"),
                        Column.text("address"),
                        Column.text("state")),
                Part::pins,
                row -> List.of(
                        row.text("pin_reason"),
                        millis(row, "pin_age_ms"),
                        row.text("client_id"),
                        row.text("login"),
                        row.text("application"),
                        row.text("host_name"),
                        row.text("address"),
                        row.text("state")));
        section(
                lines,
                "Waiting",
                sum.waiting(),
                List.of(Column.number("place"), Column.number("waited"), Column.number("client"), word("login")),
                Part::waiters,
                row -> List.of(row.text("place"), millis(row, "waited_ms"), row.text("client_id"), row.text("login")));
        section(
                lines,
                "Logins and profiles",
                -1,
                List.of(
                        word("login"),
                        Column.text("profile"),
                        Column.number("in use"),
                        Column.number("idle"),
                        Column.number("waiting"),
                        Column.number("acquired"),
                        Column.number("mean wait")),
                Part::logins,
                row -> List.of(
                        row.text("local_user"),
                        row.text("profile"),
                        row.text("active_connections"),
                        row.text("idle_connections"),
                        row.text("waiting_requests"),
                        row.text("total_acquires"),
                        millis(row, "avg_acquire_wait_ms")));
        section(
                lines,
                "Clients",
                sum.clients(),
                List.of(
                        Column.number("client"),
                        Column.text("state"),
                        word("login"),
                        word("application"),
                        word("host"),
                        Column.text("address"),
                        Column.number("requests"),
                        Column.number("last")),
                Part::clients,
                row -> List.of(
                        row.text("client_id"),
                        row.text("state"),
                        row.text("login"),
                        row.text("application"),
                        row.text("host_name"),
                        row.text("address"),
                        row.text("requests"),
                        millis(row, "quiet_ms")));
        return lines;
    }

    private static Column word(String title) {
        return Column.text(title, WORD_CELLS);
    }

    private static String millis(ResultTable.Row row, String column) {
        return Numbers.millis(row.decimalOrNull(column));
    }

    /** @param total how many there are; negative when only these are known */
    private void section(List<Line> to, String title, int total, List<Column> columns, Rows rows, Shown shown) {
        List<List<String>> cells = new ArrayList<>();
        for (Part part : parts) {
            for (ResultTable.Row row : rows.of(part).rows()) {
                List<String> line = new ArrayList<>(shown.of(row));
                line.add(part.instance());
                cells.add(line);
            }
        }
        List<Column> all = new ArrayList<>(columns);
        all.add(word("instance"));
        to.add(Line.plain(""));
        // The two were counted at different moments: they differ by more than that only where a list was cut.
        boolean cut = parts.stream().anyMatch(part -> rows.of(part).rows().size() == AT_MOST);
        String beyond = cut && total > cells.size() ? " of " + Numbers.count(total) : "";
        to.add(Line.bold(title + ": " + (cells.isEmpty() ? "none" : Numbers.count(cells.size()) + beyond)));
        if (!cells.isEmpty()) {
            List<String> lines = new TextTable(all).lines(cells, false);
            to.add(Line.dim(lines.getFirst()));
            lines.subList(1, lines.size()).forEach(line -> to.add(Line.plain(line)));
        }
    }
}
