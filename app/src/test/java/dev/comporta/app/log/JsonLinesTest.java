package dev.comporta.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLinesTest {
    private static final String NASTY = "we\"b\\\r\n{\"level\":\"error\"}\u001b[2J\u202e\u2028\u0000 東京 \ud83d\ude00";

    private static String line(LoggingEvent event) {
        return new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void aLineHasItsFieldsInOneObject() {
        LoggingEvent event = LogEvents.refusal("one", "app", 50004, 5000);
        event.setInstant(Instant.parse("2026-11-17T16:00:00.012Z"));
        assertThat(line(event))
                .isEqualTo("{\"timestamp\":\"2026-11-17T16:00:00.012Z\",\"level\":\"warn\",\"part\":\"relay\","
                        + "\"message\":\"client 127.0.0.1:5000 got error 50004\",\"client\":\"127.0.0.1:5000\","
                        + "\"bucket\":\"one\",\"login\":\"app\",\"error\":50004}\n");
    }

    @Test
    void whatOthersChooseIsReadBackAsItWasAndMakesNoLineOfItsOwn() {
        LoggingEvent event = LogEvents.plain("login {} failed", NASTY);
        event.addKeyValuePair(new KeyValuePair("login", NASTY));
        String line = line(event);
        assertThat(line.substring(0, line.length() - 1).codePoints())
                .noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x202e);
        assertThat(JsonText.members(line))
                .containsEntry("message", "login " + NASTY + " failed")
                .containsEntry("login", NASTY)
                .containsEntry("level", "info");
    }

    @Test
    void aFieldWithoutAValueIsLeftOutAndNoneReplacesTheLinesOwn() {
        LoggingEvent event = LogEvents.plain("told");
        event.addKeyValuePair(new KeyValuePair("bucket", ""));
        event.addKeyValuePair(new KeyValuePair("login", null));
        event.addKeyValuePair(new KeyValuePair("level", "error"));
        assertThat(JsonText.members(line(event)))
                .containsOnlyKeys("timestamp", "level", "part", "message")
                .containsEntry("level", "info")
                .containsEntry("part", "config");
    }

    @Test
    void aStackTraceIsAFieldOfTheSameLine() {
        LoggingEvent event = new LoggingEvent(
                "",
                new LoggerContext().getLogger("io.netty.channel"),
                Level.ERROR,
                "failed",
                new IllegalStateException(NASTY),
                new Object[0]);
        String line = line(event);
        assertThat(line.lines()).hasSize(1);
        Map<String, Object> members = JsonText.members(line);
        assertThat(members).containsEntry("part", "libraries");
        assertThat((String) members.get("exception"))
                .startsWith("java.lang.IllegalStateException: " + NASTY)
                .contains("JsonLinesTest");
    }
}
