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

    List<ILoggingEvent> from(Level level) {
        return events.stream().filter(e -> e.getLevel().isGreaterOrEqual(level)).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
