package dev.comporta.jdbc.config;

import dev.comporta.jdbc.dialect.DsqlHost;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The environment variables of pools to Aurora DSQL. Each sets the default of a setting; the setting itself takes precedence. */
final class DsqlEnvironment {
    private static final Logger log = LoggerFactory.getLogger(DsqlEnvironment.class);

    static final String RESERVOIR_ENABLED = "DSQL_RESERVOIR_ENABLED";
    static final String TARGET_READY = "DSQL_RESERVOIR_TARGET_READY";
    static final String LOW_WATERMARK = "DSQL_RESERVOIR_LOW_WATERMARK";
    static final String BASE_LIFETIME = "DSQL_RESERVOIR_BASE_LIFETIME";
    static final String LIFETIME_JITTER = "DSQL_RESERVOIR_LIFETIME_JITTER";
    static final String GUARD_WINDOW = "DSQL_RESERVOIR_GUARD_WINDOW";
    static final String LEASE_ENABLED = "DSQL_DISTRIBUTED_CONN_LEASE_ENABLED";
    static final String LEASE_TABLE = "DSQL_DISTRIBUTED_CONN_LEASE_TABLE";
    static final String CONN_LIMIT = "DSQL_DISTRIBUTED_CONN_LIMIT";

    /** Durations as Go writes them: {@code 1h30m}. */
    private static final Pattern DURATION = Pattern.compile("(?:\\d+(?:h|m|s|ms))+");

    private static final Pattern PART_OF_DURATION = Pattern.compile("(\\d+)(ms|h|m|s)");

    /** Variables without effect, each of which is logged once. */
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private final Map<String, String> variables;

    DsqlEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** @throws IllegalArgumentException if a value is wrong; its message names the variable, its value and what to set */
    void addTo(Settings s) {
        if (flag(RESERVOIR_ENABLED)) {
            addReservoir(s);
        } else {
            warnOfUnused(RESERVOIR_ENABLED, TARGET_READY, LOW_WATERMARK, BASE_LIFETIME, LIFETIME_JITTER, GUARD_WINDOW);
        }
        if (flag(LEASE_ENABLED)) {
            addLeases(s);
        } else {
            warnOfUnused(LEASE_ENABLED, LEASE_TABLE, CONN_LIMIT);
        }
    }

    private void addReservoir(Settings s) {
        int most = s.number(Setting.MAXIMUM_POOL_SIZE);
        int ready = number(TARGET_READY, most, 0);
        if (ready > most) {
            throw wrong(TARGET_READY, "set 0 to maximumPoolSize, which is " + most);
        }
        s.setDefault(Setting.TARGET_READY, Integer.toString(ready), TARGET_READY);
        s.setDefault(Setting.LOW_WATERMARK, Integer.toString(number(LOW_WATERMARK, most, 0)), LOW_WATERMARK);
        Duration base = time(BASE_LIFETIME, Duration.ofMinutes(11));
        if (base.isZero()) {
            throw wrong(BASE_LIFETIME, "set a duration such as 11m");
        }
        s.setDefault(Setting.LIFETIME_JITTER, text(time(LIFETIME_JITTER, Duration.ofMinutes(2))), LIFETIME_JITTER);
        // An explicit lifetimeJitter is added to the base too.
        Duration longest = base.plus(s.time(Setting.LIFETIME_JITTER));
        s.setDefault(Setting.MAX_LIFETIME, text(longest), BASE_LIFETIME + " + " + LIFETIME_JITTER);
        s.setDefault(Setting.GUARD_WINDOW, text(time(GUARD_WINDOW, Duration.ofSeconds(45))), GUARD_WINDOW);
    }

    private void addLeases(Settings s) {
        String table = variables.getOrDefault(LEASE_TABLE, "").strip();
        if (table.isEmpty()) {
            throw new IllegalArgumentException(
                    LEASE_TABLE + " is not set: set the name of a DynamoDB table, or " + LEASE_ENABLED + " to false");
        }
        String region = DsqlHost.of(s.text(Setting.JDBC_URL))
                .map(host -> "?region=" + host.region())
                .orElse("");
        s.setDefault(Setting.LEASES, "dynamodb:" + table + region, LEASE_TABLE);
        s.setDefault(Setting.FLEET_LIMIT, Integer.toString(number(CONN_LIMIT, 10_000, 1)), CONN_LIMIT);
    }

    private void warnOfUnused(String enabledBy, String... names) {
        for (String name : names) {
            if (variables.containsKey(name) && WARNED.add(name)) {
                log.warn("{} has no effect: {} is not true", name, enabledBy);
            }
        }
    }

    private boolean flag(String name) {
        return switch (variables.getOrDefault(name, "false").strip().toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0", "" -> false;
            default -> throw wrong(name, "set true or false");
        };
    }

    private int number(String name, int byDefault, int least) {
        String text = variables.getOrDefault(name, "").strip();
        if (text.isEmpty()) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw wrong(name, "set a whole number, " + least + " or more");
    }

    private Duration time(String name, Duration byDefault) {
        String text = variables.getOrDefault(name, "").strip();
        if (text.isEmpty()) {
            return byDefault;
        }
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (!DURATION.matcher(text).matches()) {
            throw wrong(name, "set a duration such as 11m, 1m30s or 45s");
        }
        Duration sum = Duration.ZERO;
        try {
            Matcher parts = PART_OF_DURATION.matcher(text);
            while (parts.find()) {
                long amount = Long.parseLong(parts.group(1));
                sum = switch (parts.group(2)) {
                    case "h" -> sum.plusHours(amount);
                    case "m" -> sum.plusMinutes(amount);
                    case "s" -> sum.plusSeconds(amount);
                    default -> sum.plusMillis(amount);
                };
            }
            return Duration.ofMillis(sum.toMillis());
        } catch (NumberFormatException | ArithmeticException _) {
            throw wrong(name, "set a shorter duration");
        }
    }

    private static String text(Duration time) {
        return time.toMillis() + "ms";
    }

    private IllegalArgumentException wrong(String name, String advice) {
        return new IllegalArgumentException(name + " is \"" + variables.get(name) + "\": " + advice);
    }
}
