package dev.comporta.ops.config.log;

import dev.comporta.ops.config.value.BadValue;
import dev.comporta.ops.config.value.ValueType;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Environment;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;

/** The format and levels of the log. */
public record LogConfig(LogFormat format, LogLevel level, LogLevels levels) {
    /** The environment variable with the level if the file has none, for debugging without changing the file. */
    public static final String VARIABLE = "COMPORTA_LOG";

    private static final ValueType<LogLevel> LEVELS = ValueTypes.choice(LogLevel.class);

    private static final Key<LogFormat> FORMAT = Key.of("format", ValueTypes.choice(LogFormat.class), "text");
    private static final Key<LogLevel> LEVEL = Key.derived("level", LEVELS, VARIABLE + ", or info");
    private static final SectionKey PARTS = new SectionKey("levels", LogLevels.SCHEMA);

    public static final Schema SCHEMA = Schema.of(FORMAT, LEVEL, PARTS);

    public static LogConfig read(Section section, Environment environment) {
        LogLevel level = section.get(LEVEL, inherited(environment));
        return new LogConfig(section.get(FORMAT), level, LogLevels.read(section.child(PARTS), level));
    }

    private static LogLevel inherited(Environment environment) {
        String named = environment.get(VARIABLE);
        try {
            return named == null ? LogLevel.INFO : LEVELS.parse(named);
        } catch (BadValue unknown) {
            return LogLevel.INFO;
        }
    }
}
