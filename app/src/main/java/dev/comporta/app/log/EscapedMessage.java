package dev.comporta.app.log;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.app.text.Escapes;

/**
 * Escapes the message of a log line so that it stays on one line: clients choose the names of logins, databases, hosts and
 * applications, and servers the texts of their errors. Done here, so that no logging call can forget it.
 */
public final class EscapedMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return Escapes.escape(super.convert(event));
    }
}
