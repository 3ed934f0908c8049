package dev.comporta.app.top;

import dev.comporta.app.text.Cells;
import dev.comporta.app.text.TextTable;
import dev.comporta.app.text.TextTable.Column;
import dev.comporta.app.top.BucketFigures.State;
import dev.comporta.app.top.InstanceSight.Silent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Computes the lines to show from the instances' answers, the view that the user has chosen, and the size of the terminal. */
final class Frame {
    /** Unreachable instances that are shown in a line each; the others are counted, to leave room for the buckets. */
    private static final int SILENT_LINES = 3;

    private static final int NAME_CELLS = 40;

    private static final TextTable BUCKETS = new TextTable(List.of(
            Column.text("bucket", NAME_CELLS),
            Column.text("state"),
            Column.number("clients"),
            Column.number("in use"),
            Column.number("idle"),
            Column.number("pinned"),
            Column.number("waiting"),
            Column.number("limit"),
            Column.number("requests/s"),
            Column.number("wait p99"),
            Column.number("query p99"),
            Column.number("longest pin"),
            Column.number("longest tran")));

    private Frame() {}

    /**
     * @param time the time of day
     * @return at most {@code height} lines of at most {@code width} cells
     */
    static List<Line> of(FleetSight fleet, Screen screen, BucketPage page, String time, int width, int height) {
        List<Line> head = head(fleet, screen, time);
        Line keys = Line.dim(keys(screen));
        int room = room(head, height);
        List<Line> body =
                screen.mode() == Screen.Mode.BUCKET ? page.lines(fleet, screen, room) : buckets(fleet, screen, room);
        List<Line> all = new ArrayList<>(head);
        all.addAll(body);
        while (all.size() < height - 1) {
            all.add(Line.plain(""));
        }
        all.add(keys);
        return all.stream()
                .limit(height)
                .map(line -> new Line(line.look(), Cells.cut(line.text(), width)))
                .toList();
    }

    private static int room(List<Line> head, int height) {
        return Math.max(1, height - head.size() - 1);
    }

    /** Limits scrolling to the last line: otherwise as many keys up would have no effect. */
    static Screen settled(FleetSight fleet, Screen screen, BucketPage page, int height) {
        int deepest = page.deepest(fleet, screen, room(head(fleet, screen, ""), height));
        return screen.scroll() > deepest && screen.mode() == Screen.Mode.BUCKET ? screen.scrolledTo(deepest) : screen;
    }

    /** All lines without the list of keys, colours or limits, for scripts. */
    static List<String> plain(FleetSight fleet, String time) {
        List<Line> all = head(fleet, Screen.FIRST, time);
        all.addAll(buckets(fleet, Screen.FIRST, Integer.MAX_VALUE));
        return all.stream().map(Line::text).toList();
    }

    private static List<Line> head(FleetSight fleet, Screen screen, String time) {
        List<Line> lines = new ArrayList<>();
        int asked = fleet.instances().size();
        int more = fleet.fleetSize() - asked;
        lines.add(Line.bold("comporta top, " + time + ": " + fleet.answered().size() + " of "
                + Numbers.count(asked, "instance") + " answered"
                + (more > 0 ? ", the fleet has " + more + " more" : "")
                + (screen.paused() ? ", PAUSED" : "")));
        List<BucketSum> buckets = fleet.buckets();
        lines.add(Line.bold("%s, server connections %s in use, %s idle, limit %s, %s waiting, %s requests/s"
                .formatted(
                        Numbers.count(sum(buckets, BucketSum::clients), "client"),
                        Numbers.count(sum(buckets, BucketSum::active)),
                        Numbers.count(sum(buckets, BucketSum::idle)),
                        Numbers.count(sum(buckets, BucketSum::limit)),
                        Numbers.count(sum(buckets, BucketSum::waiting)),
                        Numbers.rate(buckets.stream()
                                .mapToDouble(BucketSum::requestsPerSecond)
                                .sum()))));
        List<Silent> silent = fleet.silent();
        for (Silent instance : silent.subList(0, Math.min(SILENT_LINES, silent.size()))) {
            lines.add(new Line(
                    Line.Look.ALARM, Cells.clean(instance.address() + " is not reachable: " + instance.why())));
        }
        if (silent.size() > SILENT_LINES) {
            lines.add(new Line(
                    Line.Look.ALARM,
                    "and " + Numbers.count(silent.size() - SILENT_LINES, "more instance") + " not reachable"));
        }
        return lines;
    }

    private static int sum(List<BucketSum> buckets, ToIntFunction<BucketSum> figure) {
        return buckets.stream().mapToInt(figure).sum();
    }

    private static List<Line> buckets(FleetSight fleet, Screen screen, int room) {
        List<BucketSum> shown = screen.shown(fleet);
        List<Line> lines = new ArrayList<>();
        lines.add(Line.dim(Numbers.count(shown.size(), "bucket") + " by "
                + screen.sort().shown() + filter(screen, fleet.buckets().size() - shown.size())));
        List<String> table = BUCKETS.lines(shown.stream().map(Frame::cells).toList(), false);
        lines.add(Line.bold(table.getFirst()));
        int bar = screen.bar(shown);
        int rows = Math.max(1, room - lines.size());
        int first = Math.clamp(bar - rows / 2L, 0, Math.max(0, shown.size() - rows));
        for (int i = first; i < Math.min(shown.size(), (long) first + rows); i++) {
            Line.Look look = i == bar && room != Integer.MAX_VALUE ? Line.Look.SELECTED : look(shown.get(i));
            lines.add(new Line(look, table.get(i + 1)));
        }
        return lines;
    }

    private static String filter(Screen screen, int hidden) {
        boolean typing = screen.mode() == Screen.Mode.FILTER;
        if (!typing && screen.filter().isEmpty()) {
            return "";
        }
        return ", filter: " + Cells.clean(screen.filter()) + (typing ? "_" : "") + " (" + hidden + " hidden)";
    }

    private static List<String> cells(BucketSum bucket) {
        return List.of(
                bucket.bucket(),
                bucket.shownState(),
                Numbers.count(bucket.clients()),
                Numbers.count(bucket.active()),
                Numbers.count(bucket.idle()),
                Numbers.count(bucket.pinned()),
                Numbers.count(bucket.waiting()),
                Numbers.count(bucket.limit()),
                Numbers.rate(bucket.requestsPerSecond()),
                Numbers.millis(bucket.waitP99()),
                Numbers.millis(bucket.queryP99()),
                Numbers.millis(bucket.longestPin()),
                Numbers.millis(bucket.longestTransaction()));
    }

    static Line.Look look(BucketSum bucket) {
        if (bucket.state() == State.DOWN) {
            return Line.Look.ALARM;
        }
        return bucket.state() != State.UP || bucket.waiting() > 0 ? Line.Look.WARNING : Line.Look.PLAIN;
    }

    private static String keys(Screen screen) {
        return switch (screen.mode()) {
            case BUCKETS -> "↑↓ select  Enter look into  / filter  s sort  p " + pause(screen) + "  q quit";
            case FILTER -> "type to filter  Enter keep  Esc all";
            case BUCKET -> "↑↓ scroll  Esc back  p " + pause(screen) + "  q quit";
            case ENDED -> "";
        };
    }

    private static String pause(Screen screen) {
        return screen.paused() ? "go on" : "pause";
    }
}
