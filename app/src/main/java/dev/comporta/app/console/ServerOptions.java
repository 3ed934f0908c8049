package dev.comporta.app.console;

import dev.comporta.console.OperatorException;
import dev.comporta.console.names.NearestName;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of CREATE and ALTER SERVER: a bucket's keys, and other names for some of them that foreign servers use. */
record ServerOptions(SettingNames names) {
    private static final Set<String> WRAPPERS =
            Set.of("tds", "tds_fdw", "mssql", "mssql_fdw", "sqlserver", "sqlserver_fdw", "comporta");

    private static final Map<String, String> OTHER_NAMES = Map.of(
            "dbname", "database",
            "min_connections", "min_idle",
            "connect_timeout", "connection_timeout",
            "acquire_timeout", "queue_timeout",
            "idle_timeout", "max_idle_time",
            "health_check_interval", "health.interval",
            "health_check_query", "health.query",
            "validate_on_acquire", "validation.on_acquire",
            "validate_on_release", "validation.on_release",
            "user", "username");

    /** Options for which a number without a unit means milliseconds. */
    private static final Set<String> IN_MILLIS =
            Set.of("connect_timeout", "acquire_timeout", "idle_timeout", "health_check_interval");

    static boolean isOtherName(String option) {
        return OTHER_NAMES.containsKey(option.toLowerCase(Locale.ROOT));
    }

    static void checkWrapper(@Nullable String wrapper) throws OperatorException {
        if (wrapper != null && !WRAPPERS.contains(wrapper.toLowerCase(Locale.ROOT))) {
            throw new OperatorException("There is no wrapper '" + wrapper
                    + "': this instance speaks TDS to its servers. Leave FOREIGN DATA WRAPPER out, or use tds_fdw.");
        }
    }

    /** The bucket's key for an option. */
    String key(String option) throws OperatorException {
        String lower = option.toLowerCase(Locale.ROOT);
        List<String> keys = names.ofBucket();
        String key = keys.contains(lower) ? lower : OTHER_NAMES.getOrDefault(lower, lower);
        if (!keys.contains(key)) {
            throw new OperatorException("There is no option '" + option + "'."
                    + NearestName.among(keys, lower)
                            .map(nearest -> " Did you mean '" + nearest + "'?")
                            .orElse(" Options are the keys of a bucket in buckets.yaml."));
        }
        return key;
    }

    /** An administrator may give commands, but must not be able to read files or variables of the process. */
    static void check(String key, String value) throws OperatorException {
        if (value.contains("${")) {
            throw new OperatorException(
                    "The value of '" + key
                            + "' contains '${'. Variables and files are read for the configuration files alone; write the value.");
        }
        if (key.equals("databases.file") || key.endsWith(".databases.file")) {
            throw new OperatorException("'" + key + "' can't be set by a command. Write it in the configuration file.");
        }
    }

    String value(String option, String key, String value) throws OperatorException {
        check(key, value);
        boolean plainNumber = !value.isEmpty() && value.chars().allMatch(Character::isDigit);
        return plainNumber && IN_MILLIS.contains(option.toLowerCase(Locale.ROOT)) ? value + "ms" : value;
    }

    /** A value for an answer or a log: a secret is replaced by a placeholder. */
    String shown(String key, String value) {
        return names.isSecret(SettingNames.BUCKET + key) && !value.startsWith("${") ? "${file:/path/to/secret}" : value;
    }
}
