package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** What a class has told the log while this was open. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** Waits for a line that is like this, from its beginning to its end. */
    void await(String pattern) {
        Awaitility.await().untilAsserted(() -> assertThat(lines).anyMatch(line -> line.matches(pattern)));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
