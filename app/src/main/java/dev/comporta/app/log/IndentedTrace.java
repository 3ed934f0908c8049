package dev.comporta.app.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.app.text.Escapes;
import java.util.stream.Collectors;

/** Indents all lines of a stack trace, so that every line that begins at the left is a new log line. */
public final class IndentedTrace extends ThrowableProxyConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return super.convert(event)
                .lines()
                .map(line -> "  " + Escapes.escape(line.replace("\t", "  ")) + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
