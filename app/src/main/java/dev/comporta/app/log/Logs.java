package dev.comporta.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.comporta.ops.config.log.LogConfig;
import dev.comporta.ops.config.log.LogLevel;
import dev.comporta.ops.config.log.LogPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Configures and flushes the log of this process. Any thread. */
public final class Logs {
    /** For the last lines before the process ends: their reader may have stopped reading. */
    private static final Duration FLUSH = Duration.ofSeconds(2);

    private Logs() {}

    /** Sets levels and format. */
    public static void apply(LogConfig config) {
        apply(context(), config);
    }

    static void apply(LoggerContext context, LogConfig config) {
        for (LogPart part : LogPart.values()) {
            Level level = levelOf(config.levels().of(part));
            LogParts.loggers(part).forEach(name -> context.getLogger(name).setLevel(level));
        }
        queues(context).forEach(queue -> queue.format(config.format()));
    }

    /** Waits for a short time until all lines are written. Call it before the process ends. */
    public static void flush() {
        for (QueuedAppender queue : queues(context())) {
            try {
                queue.flush(FLUSH);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    /** Empty in tests, which configure the log differently. */
    private static List<QueuedAppender> queues(LoggerContext context) {
        List<QueuedAppender> queues = new ArrayList<>();
        Iterator<Appender<ILoggingEvent>> all =
                context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (all.hasNext()) {
            if (all.next() instanceof QueuedAppender queue) {
                queues.add(queue);
            }
        }
        return queues;
    }

    private static Level levelOf(LogLevel level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARN -> Level.WARN;
            case INFO -> Level.INFO;
            case DEBUG -> Level.DEBUG;
            case TRACE -> Level.TRACE;
        };
    }
}
