package dev.comporta.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.comporta.app.text.Escapes;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log as logback.xml has it written, and what those try who choose a part of it. */
class LogForgeryTest {
    private static final String FORGED = "web\r\n2026-01-01T00:00:00.000Z ERROR all is lost\u001b[2J";

    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void configure() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Objects.requireNonNull(LogForgeryTest.class.getResource("/logback.xml")));
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private String written(String format, @Nullable Throwable thrown, Object... arguments) {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        QueuedAppender appender = (QueuedAppender) root.getAppender("stderr");
        LoggingEvent event = new LoggingEvent("", root, Level.INFO, format, thrown, arguments);
        return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void aNameMakesNoLineOfItsOwn() {
        String line = written("login {} failed", null, FORGED);
        assertThat(line.lines()).hasSize(1);
        assertThat(line)
                .endsWith("login web\\r\\n2026-01-01T00:00:00.000Z ERROR all is lost\\u001b[2J failed"
                        + System.lineSeparator());
    }

    @Test
    void theMessageOfAnExceptionMakesNoLineThatLooksLikeTheLogs() {
        String[] lines = written("failed", new IllegalStateException(FORGED)).split("\\R");
        assertThat(lines[0]).endsWith(" failed");
        assertThat(lines).hasSizeGreaterThan(2);
        for (int i = 1; i < lines.length; i++) {
            assertThat(lines[i]).startsWith("  ").doesNotContain("\u001b");
        }
    }

    @Test
    void whatEndsALineOrTurnsTheWritingAroundIsShownByItsNumber() {
        for (int c : new int[] {0, 7, 8, 0x1b, 0x7f, 0x85, 0x9b, 0x2028, 0x2029, 0x202e, 0x2066, 0x200f, 0x061c}) {
            assertThat(Escapes.escape("a" + (char) c + "b")).isEqualTo("a\\u%04xb".formatted(c));
        }
        String harmless = "DOMAIN\\Jürgen 東京";
        assertThat(Escapes.escape(harmless)).isSameAs(harmless);
    }
}
