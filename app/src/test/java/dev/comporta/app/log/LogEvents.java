package dev.comporta.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.comporta.proxy.watch.ClientLines;
import org.slf4j.event.KeyValuePair;

/** Lines as the proxy logs them. */
final class LogEvents {
    private static final LoggerContext CONTEXT = new LoggerContext();

    private LogEvents() {}

    static LoggingEvent plain(String message, Object... arguments) {
        return new LoggingEvent(
                "", CONTEXT.getLogger("dev.comporta.app.Reloads"), Level.INFO, message, null, arguments);
    }

    /** One of many. */
    static LoggingEvent refusal(String bucket, String login, int error, int port) {
        LoggingEvent event = new LoggingEvent(
                "",
                CONTEXT.getLogger("dev.comporta.proxy.line.ClientLine"),
                Level.WARN,
                "client 127.0.0.1:{} got error {}",
                null,
                new Object[] {port, error});
        event.addMarker(ClientLines.MANY);
        event.addKeyValuePair(new KeyValuePair(ClientLines.CLIENT, "127.0.0.1:" + port));
        event.addKeyValuePair(new KeyValuePair(ClientLines.BUCKET, bucket));
        event.addKeyValuePair(new KeyValuePair(ClientLines.LOGIN, login));
        event.addKeyValuePair(new KeyValuePair(ClientLines.ERROR, error));
        return event;
    }
}
