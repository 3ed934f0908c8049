package dev.comporta.app.top;

import static dev.comporta.app.top.Sights.bucket;
import static dev.comporta.app.top.Sights.buckets;
import static dev.comporta.app.top.Sights.fleet;
import static dev.comporta.app.top.Sights.instance;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.text.Cells;
import dev.comporta.app.top.BucketFigures.State;
import dev.comporta.app.top.Line.Look;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final int WIDTH = 132;

    private static List<Line> frame(FleetSight fleet, Screen screen, int height) {
        return Frame.of(fleet, screen, BucketPage.NONE, "10:00:00", WIDTH, height);
    }

    private static List<String> texts(List<Line> lines) {
        return lines.stream().map(Line::text).toList();
    }

    private static Screen screen(Screen.Mode mode, String selected, String filter) {
        return new Screen(mode, selected, filter, Sort.PRESSURE, false, 0);
    }

    private static FleetSight many(int count) {
        return buckets(IntStream.range(0, count).mapToObj("b%03d"::formatted).toArray(String[]::new));
    }

    @Test
    void aFleetIsSeenAtOnce() {
        BucketFigures slow = new BucketFigures(
                "lisboa", State.UP, "", 1200, 9, 1, 3, 17, 10, 1234.6, 12.5, 840.0, 125_000.0, 61_500.0);
        FleetSight fleet = fleet(
                instance("one", true, slow, bucket("porto", State.UP, 4, 0), bucket("faro", State.DOWN, 0, 0)),
                new InstanceSight.Silent("two:8080", "connection refused"));
        assertThat(texts(frame(fleet, Screen.FIRST, 10)))
                .containsExactly(
                        "comporta top, 10:00:00: 1 of 2 instances answered",
                        "1,240 clients, server connections 13 in use, 3 idle, limit 30, 17 waiting, 1,240 requests/s",
                        "two:8080 is not reachable: connection refused",
                        "3 buckets by pressure",
                        "bucket  state  clients  in use  idle  pinned  waiting  limit  requests/s  wait p99  query p99  longest pin  longest tran",
                        "faro    down        20       0     1       0        0     10         2.5      13ms      840ms            -             -",
                        "lisboa  up       1,200       9     1       3       17     10       1,235      13ms      840ms        2m05s         1m01s",
                        "porto   up          20       4     1       0        0     10         2.5      13ms      840ms            -             -",
                        "",
                        "↑↓ select  Enter look into  / filter  s sort  p pause  q quit");
    }

    @Test
    void linesAreSetOffByWhatIsWrong() {
        FleetSight fleet = fleet(
                instance(
                        "one",
                        true,
                        bucket("a", State.DOWN, 0, 0),
                        bucket("b", State.DOWN, 0, 0),
                        bucket("c", State.PAUSED, 0, 0),
                        bucket("d", State.UP, 0, 1),
                        bucket("e", State.UP, 0, 0)),
                new InstanceSight.Silent("two:8080", "gone"));
        assertThat(frame(fleet, Screen.FIRST, 20).subList(2, 10))
                .extracting(Line::look)
                .containsExactly(
                        Look.ALARM,
                        Look.DIM,
                        Look.BOLD,
                        Look.SELECTED,
                        Look.ALARM,
                        Look.WARNING,
                        Look.WARNING,
                        Look.PLAIN);
    }

    @Test
    void theBarIsAlwaysOnTheScreen() {
        FleetSight fleet = many(100);
        for (int i = 0; i < 100; i++) {
            String name = "b%03d".formatted(i);
            List<Line> lines = frame(fleet, screen(Screen.Mode.BUCKETS, name, ""), 12);
            assertThat(lines).hasSize(12);
            assertThat(lines.stream()
                            .filter(line -> line.look() == Look.SELECTED)
                            .map(Line::text))
                    .singleElement()
                    .matches(text -> text.startsWith(name + " "));
        }
        assertThat(texts(frame(fleet, screen(Screen.Mode.BUCKETS, "b099", ""), 12))
                        .get(10))
                .startsWith("b099 ");
    }

    @Test
    void noFrameIsLargerThanTheTerminal() {
        FleetSight fleet = fleet(
                instance("one", true, bucket("bucket-日本-" + "x".repeat(200), State.DOWN, 1, 1)),
                new InstanceSight.Silent("two:8080", "y".repeat(500)));
        for (int width = 1; width < 100; width += 7) {
            for (int height = 1; height < 20; height++) {
                for (Screen.Mode mode : Screen.Mode.values()) {
                    Screen screen = screen(mode, fleet.buckets().getFirst().bucket(), "");
                    List<Line> lines = Frame.of(fleet, screen, BucketPage.NONE, "10:00:00", width, height);
                    assertThat(lines).hasSize(height);
                    for (Line line : lines) {
                        assertThat(Cells.width(line.text())).isLessThanOrEqualTo(width);
                    }
                }
            }
        }
    }

    @Test
    void namesCantMoveTheCursor() {
        FleetSight fleet = fleet(
                instance("one", true, bucket("evil\u001b[2J", State.DOWN, 1, 1)),
                new InstanceSight.Silent("two:8080", "\u001b]0;title\u0007"));
        for (Screen.Mode mode : Screen.Mode.values()) {
            Screen screen = screen(mode, "evil\u001b[2J", "\u001b");
            assertThat(texts(frame(fleet, screen, 20))).noneMatch(text -> text.contains("\u001b"));
        }
    }

    @Test
    void aFilterSaysWhatItHides() {
        assertThat(texts(frame(buckets("a", "ab", "c"), screen(Screen.Mode.FILTER, "", "a"), 8))
                        .get(2))
                .isEqualTo("2 buckets by pressure, filter: a_ (1 hidden)");
        assertThat(texts(frame(buckets("a", "ab", "c"), screen(Screen.Mode.BUCKETS, "", "b"), 8))
                        .get(2))
                .isEqualTo("1 bucket by pressure, filter: b (2 hidden)");
    }

    @Test
    void instancesThatNobodyNamedAreCounted() {
        InstanceSight one =
                new InstanceSight.Answered("one:8080", "one", true, Set.of("one", "two", "three"), List.of());
        assertThat(texts(frame(fleet(one), Screen.FIRST, 8)).getFirst())
                .isEqualTo("comporta top, 10:00:00: 1 of 1 instance answered, the fleet has 2 more");
    }

    @Test
    void manySilentInstancesLeaveRoomForTheOthers() {
        InstanceSight[] instances = IntStream.range(0, 6)
                .mapToObj(i -> new InstanceSight.Silent("proxy-" + i, "gone"))
                .toArray(InstanceSight[]::new);
        assertThat(texts(frame(fleet(instances), Screen.FIRST, 12)).subList(2, 6))
                .containsExactly(
                        "proxy-0 is not reachable: gone",
                        "proxy-1 is not reachable: gone",
                        "proxy-2 is not reachable: gone",
                        "and 3 more instances not reachable");
    }

    @Test
    void aPlainFrameHasAllBucketsAndNoKeys() {
        List<String> lines = Frame.plain(many(100), "10:00:00");
        assertThat(lines).hasSize(4 + 100);
        assertThat(lines.getLast()).startsWith("b099 ");
    }

    @Test
    void aBucketThatIsGoneSaysSo() {
        assertThat(texts(frame(buckets("a"), screen(Screen.Mode.BUCKET, "b", ""), 8))
                        .get(2))
                .isEqualTo("No instance that answers has the bucket b.");
    }

    @Test
    void figuresAreShort() {
        assertThat(List.of(
                        Numbers.millis(null),
                        Numbers.millis(0.0),
                        Numbers.millis(0.25),
                        Numbers.millis(9.94),
                        Numbers.millis(999.4),
                        Numbers.millis(1000.0),
                        Numbers.millis(59_940.0),
                        Numbers.millis(60_000.0),
                        Numbers.millis(3_599_000.0),
                        Numbers.millis(7_260_000.0)))
                .containsExactly("-", "0ms", "0.3ms", "9.9ms", "999ms", "1.0s", "59.9s", "1m00s", "59m59s", "2h01m");
        assertThat(List.of(Numbers.rate(0), Numbers.rate(0.5), Numbers.rate(12.4), Numbers.rate(12345)))
                .containsExactly("0", "0.5", "12", "12,345");
    }
}
