package dev.comporta.app.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.ops.config.log.SlowLogConfig;
import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.watch.SlowRequest;
import dev.comporta.testkit.LogLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SlowRequestLogTest {
    private static final Pattern MORE = Pattern.compile("\\((\\d+) more were not logged\\)");

    private static SlowRequest request(String bucket, String procedure, String sql, long untold) {
        return new SlowRequest(
                bucket,
                7,
                "10.0.0.1:1234",
                "a\nlogin",
                procedure,
                sql.getBytes(StandardCharsets.UTF_16LE),
                false,
                SlowRequest.Outcome.CANCELLED,
                1_000_000,
                2_000_000,
                3_500_000,
                4,
                5,
                6,
                1,
                PinReason.TRANSACTION,
                untold);
    }

    /** Each test has a bucket of its own: others may log at the same time. */
    private static List<String> lines(LogLines log, String bucket) {
        return log.lines().stream()
                .filter(line -> line.contains("bucket " + bucket))
                .toList();
    }

    @Test
    void controlCharactersAreEscapedAndTextsBounded() {
        try (LogLines log = new LogLines(SlowRequestLog.LOGGER);
                SlowRequestLog slow = new SlowRequestLog()) {
            slow.configure(new SlowLogConfig(Duration.ofMillis(1), true));
            slow.tell(request("strange", "", "SELECT\r\n[" + "x".repeat(5_000) + "]", 3));
            await().until(() -> lines(log, "strange").size() == 1);
            assertThat(lines(log, "strange").getFirst())
                    .startsWith("slow request, cancelled after 3.5 ms: bucket strange"
                            + ", client 7 at 10.0.0.1:1234, login a\\nlogin; waited 1.0 ms, first byte after 2.0 ms,"
                            + " 4 rows, 5 bytes received, 6 sent, 1 errors, pinned (transaction); statement ")
                    .contains("; SQL: SELECT\\r\\n[xxx")
                    .endsWith("x… (3 more were not logged)")
                    .doesNotContain("\n")
                    .hasSizeLessThan(3_000);
        }
    }

    @Test
    void aCallWithoutATextIsKnownByItsName() {
        try (LogLines log = new LogLines(SlowRequestLog.LOGGER);
                SlowRequestLog slow = new SlowRequestLog()) {
            slow.tell(request("nightly", "dbo.nightly", "", 0));
            await().until(() -> lines(log, "nightly").size() == 1);
            assertThat(lines(log, "nightly").getFirst()).matches(".*; statement [0-9a-f]{16}: dbo\\.nightly");
        }
    }

    /** Requests that these lines are, or tell of. */
    private static long told(List<String> lines) {
        return lines.size()
                + lines.stream()
                        .flatMap(line -> MORE.matcher(line).results())
                        .mapToLong(more -> Long.parseLong(more.group(1)))
                        .sum();
    }

    @Test
    void aFloodIsBoundedAndWhatIsLeftOutIsCounted() {
        int told = 3 * SlowRequestLog.MOST_PENDING;
        try (LogLines log = new LogLines(SlowRequestLog.LOGGER);
                SlowRequestLog slow = new SlowRequestLog()) {
            for (int i = 0; i < told; i++) {
                slow.tell(request("flood", "", "SELECT 1", 0));
            }
            // The next second's first line tells how many were left out before it: then each was logged or counted.
            AtomicInteger all = new AtomicInteger(told);
            await().until(() -> {
                all.incrementAndGet();
                slow.tell(request("flood", "", "SELECT 1", 0));
                return told(lines(log, "flood")) == all.get();
            });
            assertThat(lines(log, "flood").size()).isBetween(2, told / 2);
        }
    }
}
