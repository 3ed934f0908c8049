package dev.comporta.standin.wire;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a logger writes while it is watched. */
final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    LogLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    /**
     * What was said of one client, by its port: those of the test before may still be leaving.
     *
     * @param level that, or a more serious one
     */
    List<ILoggingEvent> about(int clientPort, Level level) {
        return events.stream()
                .filter(e -> e.getLevel().isGreaterOrEqual(level))
                .filter(e -> e.getFormattedMessage().contains("127.0.0.1:" + clientPort + ":"))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
