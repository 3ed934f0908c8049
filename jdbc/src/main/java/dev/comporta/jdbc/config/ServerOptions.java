package dev.comporta.jdbc.config;

import dev.comporta.console.names.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a server, as {@code CREATE SERVER} has them: settings, and a few names that only servers have. Names are
 * matched like those of settings, so {@code max_connections} is {@code maxConnections}.
 */
public final class ServerOptions {
    public static final String WRAPPER = "wrapper";
    public static final String HOST = "host";
    public static final String PORT = "port";
    public static final String DBNAME = "dbname";
    /** Counters are part of how a pool works: there is nothing to switch off. */
    public static final String COLLECT_STATISTICS = "collectStatistics";

    private static final String DATABASE = "database";
    private static final String VALIDATION_INTERVAL_SECONDS = "validationIntervalSeconds";
    private static final String DRIVER_PREFIX = "dataSource.";

    private static final List<String> OWN =
            List.of(WRAPPER, HOST, PORT, DBNAME, DATABASE, COLLECT_STATISTICS, VALIDATION_INTERVAL_SECONDS);

    private ServerOptions() {}

    /**
     * An option under its canonical name.
     *
     * @param key the key of a setting, {@code dataSource.…}, or one of the names above
     */
    public record Option(String key, String value) {
        /** Without the value, which may be a secret. */
        @Override
        public String toString() {
            return key;
        }
    }

    /** @throws IllegalArgumentException if there is no such option; its message names the nearest one */
    public static Option option(String name, String value) {
        if (name.regionMatches(true, 0, DRIVER_PREFIX, 0, DRIVER_PREFIX.length())) {
            return new Option(DRIVER_PREFIX + name.substring(DRIVER_PREFIX.length()), value);
        }
        for (String own : OWN) {
            if (Setting.plain(own).equals(Setting.plain(name))) {
                return switch (own) {
                    case DATABASE -> new Option(DBNAME, value);
                    case VALIDATION_INTERVAL_SECONDS ->
                        new Option(Setting.VALIDATION_INTERVAL.key(), inSeconds(value.strip()));
                    default -> new Option(own, value);
                };
            }
        }
        return new Option(Setting.find(name).orElseThrow(() -> unknown(name)).key(), value);
    }

    private static String inSeconds(String value) {
        return value.chars().allMatch(Character::isDigit) && !value.isEmpty() ? value + "s" : value;
    }

    private static IllegalArgumentException unknown(String name) {
        List<String> known = new ArrayList<>(OWN);
        for (Setting setting : Setting.values()) {
            known.add(setting.key());
            known.addAll(setting.synonyms());
        }
        boolean snake = name.contains("_");
        return new IllegalArgumentException("there is no setting " + name + ": "
                + NearestName.among(known, name)
                        .map(near -> "did you mean " + (snake ? snakeCase(near) : near) + "?")
                        .orElse("properties of the driver are dataSource.NAME"));
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** The options under their canonical names, in the same order. */
    public static Map<String, String> canonical(Map<String, String> options) {
        Map<String, String> all = new LinkedHashMap<>();
        options.forEach((name, value) -> {
            Option option = option(name, value);
            if (all.put(option.key(), option.value()) != null) {
                throw new IllegalArgumentException(option.key() + " is set twice, under two names: leave one out");
            }
        });
        return all;
    }

    /** Sets what the options say, and the URL that follows from wrapper, host, port and dbname. */
    public static void apply(Map<String, String> options, Settings to) {
        Map<String, String> own = new LinkedHashMap<>();
        canonical(options).forEach((key, value) -> {
            if (OWN.contains(key)) {
                own.put(key, value);
            } else {
                to.set(key, value);
            }
        });
        String collect = own.get(COLLECT_STATISTICS);
        if (collect != null && !collect.strip().toLowerCase(Locale.ROOT).matches("true|false|on|off|yes|no")) {
            throw new IllegalArgumentException(COLLECT_STATISTICS + " is \"" + collect + "\": set true or false");
        }
        url(own.get(WRAPPER), own.get(HOST), own.get(PORT), own.get(DBNAME), to);
    }

    private static void url(
            @Nullable String wrapper,
            @Nullable String host,
            @Nullable String port,
            @Nullable String dbname,
            Settings to) {
        Wrapper kind = wrapper == null ? null : Wrapper.named(wrapper);
        boolean parts = host != null || port != null || dbname != null;
        if (to.isSet(Setting.JDBC_URL)) {
            if (parts) {
                throw new IllegalArgumentException(
                        "jdbcUrl is set, and so is one of host, port and dbname, which make another URL: leave out either");
            }
            if (kind != null) {
                kind.check(to.text(Setting.JDBC_URL));
            }
        } else if (kind != null) {
            to.set(Setting.JDBC_URL, kind.url(host, port, dbname));
        } else if (parts) {
            throw new IllegalArgumentException(
                    "host, port and dbname don't say which kind of database it is: set wrapper"
                            + " (FOREIGN DATA WRAPPER postgresql_fdw), or set jdbcUrl instead");
        }
    }
}
