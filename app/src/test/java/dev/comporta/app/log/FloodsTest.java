package dev.comporta.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FloodsTest {
    private final List<ILoggingEvent> written = new ArrayList<>();
    private final Floods floods = new Floods(written::add);

    private static long more(ILoggingEvent event) {
        return event.getKeyValuePairs() == null
                ? 0
                : event.getKeyValuePairs().stream()
                        .filter(field -> field.key.equals("more"))
                        .mapToLong(field -> (Long) field.value)
                        .sum();
    }

    private long total() {
        return written.stream().mapToLong(event -> 1 + more(event)).sum();
    }

    @Test
    void aFloodIsAFewLinesAndOneThatCountsTheRest() {
        for (int i = 0; i < 10_000; i++) {
            floods.take(LogEvents.refusal("one", "app", 50004, i), i);
        }
        assertThat(written).hasSize(Floods.LINES);
        floods.end(Floods.WINDOW_NANOS);
        assertThat(written).hasSize(Floods.LINES + 1);
        assertThat(written.getLast().getFormattedMessage())
                .isEqualTo("client 127.0.0.1:9999 got error 50004 … and 9,994 more like it in the last 10 s");
        assertThat(total()).isEqualTo(10_000);
    }

    @Test
    void afterItsWindowTheNextIsWrittenAgain() {
        for (int i = 0; i < Floods.LINES + 1; i++) {
            floods.take(LogEvents.refusal("one", "app", 50004, i), 0);
        }
        floods.take(LogEvents.refusal("one", "app", 50004, 77), Floods.WINDOW_NANOS);
        assertThat(written)
                .extracting(ILoggingEvent::getFormattedMessage)
                .endsWith(
                        "client 127.0.0.1:" + Floods.LINES + " got error 50004", "client 127.0.0.1:77 got error 50004");
        assertThat(total()).isEqualTo(Floods.LINES + 2);
    }

    @Test
    void whatDiffersInBucketLoginOrErrorIsAnotherFlood() {
        for (int i = 0; i < 100; i++) {
            floods.take(LogEvents.refusal("one", "app", 50004, i), 0);
            floods.take(LogEvents.refusal("two", "app", 50004, i), 0);
            floods.take(LogEvents.refusal("one", "web", 50004, i), 0);
            floods.take(LogEvents.refusal("one", "app", 50005, i), 0);
        }
        assertThat(written).hasSize(4 * Floods.LINES);
        floods.endAll();
        assertThat(written).hasSize(4 * (Floods.LINES + 1));
        assertThat(total()).isEqualTo(400);
    }

    @Test
    void loginsThatAreMadeUpDoNotMakeALineEach() {
        for (int i = 0; i < 100_000; i++) {
            floods.take(LogEvents.refusal("one", "user" + i, 18456, i), 0);
        }
        floods.endAll();
        assertThat(written).hasSizeLessThanOrEqualTo(Floods.KINDS + Floods.LINES + 1);
        assertThat(total()).isEqualTo(100_000);
    }

    @Test
    void linesThatNobodyElseCausesAreAllWritten() {
        for (int i = 0; i < 1000; i++) {
            floods.take(LogEvents.plain("the same"), 0);
        }
        assertThat(written).hasSize(1000);
    }
}
