package dev.comporta.e2e;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What was logged under a name, by whichever thread, from when it began to listen. */
public final class HeardLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

    public HeardLog(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent line) {
        lines.add(line);
    }

    /** So far; grows. */
    public List<ILoggingEvent> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
    }
}
