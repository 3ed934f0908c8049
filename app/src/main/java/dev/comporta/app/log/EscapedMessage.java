package dev.comporta.app.log;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.app.text.Escapes;

/**
 * The message of a log line, on one line whatever is in it: clients choose the names of logins, databases, hosts and
 * applications, and servers the texts of their errors. Here, so that no call that logs can forget it.
 */
public final class EscapedMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return Escapes.escape(super.convert(event));
    }
}
