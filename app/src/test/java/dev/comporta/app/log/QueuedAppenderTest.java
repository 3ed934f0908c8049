package dev.comporta.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueuedAppenderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern DROPPED = Pattern.compile("([\\d,]+) lines of the log were dropped");

    /** A pipe that nobody reads until it is told to. */
    private static final class Pipe extends OutputStream {
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final CountDownLatch isRead = new CountDownLatch(1);

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            try {
                isRead.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            read.write(bytes);
        }

        List<String> lines() {
            return read.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    private final LoggerContext context = new LoggerContext();
    private final QueuedAppender appender = new QueuedAppender();
    private final Pipe pipe = new Pipe();

    @BeforeEach
    void start() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.target(pipe);
        appender.start();
    }

    @AfterEach
    void stop() {
        pipe.isRead.countDown();
        appender.stop();
    }

    @Test
    void whoLogsDoesNotWaitForAReaderThatStoppedAndWhatIsDroppedIsCounted() throws Exception {
        int logged = 3 * QueuedAppender.MOST_WAITING;
        for (int i = 0; i < logged; i++) {
            appender.doAppend(LogEvents.plain("line " + i));
        }
        assertThat(appender.flush(Duration.ofMillis(10))).as("nobody reads").isFalse();
        pipe.isRead.countDown();
        assertThat(appender.flush(PATIENCE)).isTrue();

        long written =
                pipe.lines().stream().filter(line -> line.startsWith("line ")).count();
        long dropped = pipe.lines().stream()
                .flatMap(line -> DROPPED.matcher(line).results())
                .map(MatchResult::group)
                .mapToLong(text -> Long.parseLong(text.replaceAll("\\D", "")))
                .sum();
        assertThat(written).isGreaterThanOrEqualTo(QueuedAppender.MOST_WAITING);
        assertThat(dropped).isPositive();
        assertThat(written + dropped).isEqualTo(logged);
    }

    @Test
    void linesAreWrittenInTheirOrder() throws Exception {
        pipe.isRead.countDown();
        for (int i = 0; i < 1000; i++) {
            appender.doAppend(LogEvents.plain("line " + i));
        }
        assertThat(appender.flush(PATIENCE)).isTrue();
        assertThat(pipe.lines())
                .containsExactlyElementsOf(
                        IntStream.range(0, 1000).mapToObj(i -> "line " + i).toList());
    }

    @Test
    void aStopWritesWhatWaitsAndTheSumOfAFlood() {
        pipe.isRead.countDown();
        for (int i = 0; i < 100; i++) {
            appender.doAppend(LogEvents.refusal("one", "app", 50004, i));
        }
        appender.stop();
        assertThat(pipe.lines()).hasSize(Floods.LINES + 1);
        assertThat(pipe.lines().getLast()).endsWith(" … and 94 more like it in the last 10 s");
    }
}
