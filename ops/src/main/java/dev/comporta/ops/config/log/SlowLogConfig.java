package dev.comporta.ops.config.log;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * Which requests are logged because they take long.
 *
 * @param slowRequest the duration from which on a request is slow; zero means that none is logged
 * @param logSql whether their SQL text is logged too, with its values
 */
public record SlowLogConfig(Duration slowRequest, boolean logSql) {
    private static final Key<Duration> SLOW_REQUEST = Key.of("slow_request", ValueTypes.durationOrOff(), "0s");
    private static final Key<Boolean> LOG_SQL = Key.of("log_sql", ValueTypes.bool(), "false");

    public static final Schema SCHEMA = Schema.of(SLOW_REQUEST, LOG_SQL);

    public static SlowLogConfig read(Section section) {
        SlowLogConfig settings = new SlowLogConfig(section.get(SLOW_REQUEST), section.get(LOG_SQL));
        if (settings.logSql && settings.slowRequest.isZero()) {
            section.warn(
                    LOG_SQL.name(),
                    "It has no effect without slow_request: only slow requests are logged.",
                    "Set slow_request, such as 'slow_request: 1s', or remove it.");
        }
        return settings;
    }
}
