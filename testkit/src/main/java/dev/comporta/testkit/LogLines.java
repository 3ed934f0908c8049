package dev.comporta.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** Records a logger, on all threads, from construction to close. Tests that run at the same time are recorded too. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    public LogLines(Class<?> of) {
        this(of.getName());
    }

    public LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    /** All events so far. The list grows with the log. */
    public List<ILoggingEvent> events() {
        return events;
    }

    /** The messages so far, of all levels. */
    public List<String> lines() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** The messages of this level and of more serious ones. */
    public List<String> from(Level level) {
        return events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** The messages of exactly this level that contain all the parts. */
    public List<String> linesOf(Level level, String... parts) {
        return events.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .filter(message -> Stream.of(parts).allMatch(message::contains))
                .toList();
    }

    /**
     * The events about one client, identified by its port: clients of the previous test may still be disconnecting.
     *
     * @param level this level, or a more serious one
     */
    public List<ILoggingEvent> about(int clientPort, Level level) {
        return events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(level))
                .filter(event -> event.getFormattedMessage().contains("127.0.0.1:" + clientPort + ":"))
                .toList();
    }

    /** Waits for a message that the pattern matches as a whole. */
    public void await(String pattern) {
        Awaitility.await().untilAsserted(() -> assertThat(lines()).anyMatch(line -> line.matches(pattern)));
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
