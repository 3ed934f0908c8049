package dev.comporta.proxy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What the proxy's own classes log while this is open. */
final class LogLines implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.comporta.proxy");
    private final Level before = logger.getLevel();
    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();

    LogLines() {
        heard.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(heard);
    }

    /** Messages of this level and above. */
    List<String> from(Level level) {
        return List.copyOf(heard.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(heard);
        logger.setLevel(before);
    }
}
