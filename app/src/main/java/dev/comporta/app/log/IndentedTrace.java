package dev.comporta.app.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.app.text.Escapes;
import java.util.stream.Collectors;

/** A stack trace, each of whose lines is indented: a line of the log's own begins with its time, at the left. */
public final class IndentedTrace extends ThrowableProxyConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return super.convert(event)
                .lines()
                .map(line -> "  " + Escapes.escape(line.replace("\t", "  ")) + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
