package dev.comporta.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.comporta.app.text.Escapes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/** One JSON object per line: time, level, part and message, then the line's fields that are not empty. */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final String EXCEPTION = "exception";
    private static final Set<String> OWN = Set.of("timestamp", "level", "part", "message", EXCEPTION);

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(256).append('{');
        text(line, "timestamp", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
        text(line, "level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        text(line, "part", LogParts.of(event.getLoggerName()).name().toLowerCase(Locale.ROOT));
        text(line, "message", event.getFormattedMessage());
        List<KeyValuePair> fields = event.getKeyValuePairs();
        if (fields != null) {
            fields.forEach(field -> field(line, field));
        }
        if (event.getThrowableProxy() != null) {
            text(line, EXCEPTION, ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void field(StringBuilder line, KeyValuePair field) {
        if (OWN.contains(field.key)) {
            return;
        }
        switch (field.value) {
            case null -> {}
            case Integer number -> name(line, field.key).append(number);
            case Long number -> name(line, field.key).append(number);
            case Boolean bool -> name(line, field.key).append(bool);
            default -> {
                String value = field.value.toString();
                if (!value.isEmpty()) {
                    text(line, field.key, value);
                }
            }
        }
    }

    private static void text(StringBuilder line, String name, String value) {
        name(line, name).append('"');
        Escapes.escapeJson(line, value);
        line.append('"');
    }

    private static StringBuilder name(StringBuilder line, String name) {
        if (line.length() > 1) {
            line.append(',');
        }
        return line.append('"').append(name).append("\":");
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
