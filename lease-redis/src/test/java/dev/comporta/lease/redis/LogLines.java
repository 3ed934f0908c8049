package dev.comporta.lease.redis;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a class warns of, readable while more is said. Tests that run at the same time are heard too. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Logger source;

    LogLines(Class<?> of) {
        this(of.getName());
    }

    LogLines(String logger) {
        source = (Logger) LoggerFactory.getLogger(logger);
        start();
        source.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel() == Level.WARN) {
            warnings.add(event.getFormattedMessage());
        }
    }

    /** Those in which all of this occurs. */
    List<String> warningsWith(String... parts) {
        return warnings.stream()
                .filter(text -> List.of(parts).stream().allMatch(text::contains))
                .toList();
    }

    @Override
    public void close() {
        source.detachAppender(this);
    }
}
