package dev.comporta.jdbc.config;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that can be set for a pool. A name is matched without case, hyphens and underscores, so that
 * {@code maximum-pool-size} and {@code MAXIMUM_POOL_SIZE} are {@code maximumPoolSize}.
 */
@SuppressWarnings("ImmutableEnumChecker") // List.of makes immutable lists
public enum Setting {
    JDBC_URL("jdbcUrl", Change.RESTART, "", "url"),
    USERNAME("username", Change.RESTART, "", "user"),
    PASSWORD("password", Change.RESTART, ""),
    DRIVER_CLASS_NAME("driverClassName", Change.RESTART, ""),
    POOL_NAME("poolName", Change.RESTART, ""),
    PROFILE("profile", Change.RESTART, "auto"),

    MAXIMUM_POOL_SIZE("maximumPoolSize", Change.LIVE, "10", "maxConnections"),
    MINIMUM_IDLE("minimumIdle", Change.LIVE, "2", "minIdle", "minConnections"),
    CONNECTION_TIMEOUT("connectionTimeout", Change.LIVE, "30s", "queueTimeout", "acquireTimeout"),
    CONNECT_TIMEOUT("connectTimeout", Change.RESTART, "30s"),
    QUERY_TIMEOUT("queryTimeout", Change.RESTART, "0"),
    MAX_QUEUE_SIZE("maxQueueSize", Change.LIVE, "10000"),
    WHEN_DOWN("whenDown", Change.LIVE, "wait"),
    EXHAUSTION_POLICY("exhaustionPolicy", Change.LIVE, "wait"),
    OVERFLOW_CONNECTIONS("overflowConnections", Change.LIVE, "0"),

    IDLE_TIMEOUT("idleTimeout", Change.LIVE, "10m", "maxIdleTime"),
    MAX_LIFETIME("maxLifetime", Change.LIVE, "30m"),
    LIFETIME_JITTER("lifetimeJitter", Change.LIVE, ""),
    GUARD_WINDOW("guardWindow", Change.LIVE, ""),
    REPLACE_AHEAD("replaceAhead", Change.LIVE, ""),
    TARGET_READY("targetReady", Change.LIVE, "0"),
    LOW_WATERMARK("lowWatermark", Change.LIVE, "0"),
    CONNECT_RATE("connectRate", Change.LIVE, "100"),
    CONNECT_BURST("connectBurst", Change.LIVE, "50"),

    ENABLE_HEALTH_CHECK("enableHealthCheck", Change.LIVE, "true"),
    KEEPALIVE_TIME("keepaliveTime", Change.LIVE, "30s", "healthCheckInterval"),
    VALIDATION_TIMEOUT("validationTimeout", Change.LIVE, "5s", "healthCheckTimeout"),
    VALIDATION_INTERVAL("validationInterval", Change.LIVE, "30s"),
    VALIDATE_ON_ACQUIRE("validateOnAcquire", Change.LIVE, "false"),
    VALIDATE_ON_RELEASE("validateOnRelease", Change.LIVE, "false"),
    HEALTH_CHECK_TYPE("healthCheckType", Change.LIVE, ""),
    CONNECTION_TEST_QUERY("connectionTestQuery", Change.RESTART, "", "healthCheckQuery"),
    FAILURE_THRESHOLD("failureThreshold", Change.LIVE, "3"),
    RECOVERY_THRESHOLD("recoveryThreshold", Change.LIVE, "2"),
    RESET_ON_RELEASE("resetOnRelease", Change.LIVE, "false"),
    LEAK_DETECTION_THRESHOLD("leakDetectionThreshold", Change.RESTART, "0"),

    LEASES("leases", Change.RESTART, "local"),
    FLEET_LIMIT("fleetLimit", Change.LIVE, ""),
    INSTANCE_ID("instanceId", Change.RESTART, ""),
    HEARTBEAT_INTERVAL("heartbeatInterval", Change.RESTART, "10s"),
    HEARTBEAT_TTL("heartbeatTtl", Change.RESTART, "30s"),
    FALLBACK("fallback", Change.RESTART, "true"),
    LOCAL_LIMIT_DIVISOR("localLimitDivisor", Change.RESTART, "3"),

    CONNECTION_INIT_SQL("connectionInitSql", Change.RESTART, ""),
    AUTO_COMMIT("autoCommit", Change.RESTART, ""),
    READ_ONLY("readOnly", Change.RESTART, ""),
    TRANSACTION_ISOLATION("transactionIsolation", Change.RESTART, ""),
    CATALOG("catalog", Change.RESTART, ""),
    SCHEMA("schema", Change.RESTART, ""),

    WARMUP_ON_CREATE("warmupOnCreate", Change.RESTART, "true"),
    WARMUP_CONNECTIONS("warmupConnections", Change.RESTART, "0"),
    INITIALIZATION_FAIL_TIMEOUT("initializationFailTimeout", Change.RESTART, "0"),
    SHUTDOWN_TIMEOUT("shutdownTimeout", Change.LIVE, "10s"),
    COLLECT_QUERY_STATS("collectQueryStats", Change.RESTART, "false"),
    REGISTER_MBEANS("registerMbeans", Change.RESTART, "false");

    /** When a change takes effect. */
    public enum Change {
        /** At once, also while the pool runs. */
        LIVE,
        /** Only before the pool has started. */
        RESTART
    }

    private static final Map<String, Setting> BY_NAME = new HashMap<>();

    static {
        for (Setting setting : values()) {
            BY_NAME.put(plain(setting.key), setting);
            setting.synonyms.forEach(s -> BY_NAME.put(plain(s), setting));
        }
    }

    private final String key;
    private final Change change;
    private final String byDefault;
    private final List<String> synonyms;

    Setting(String key, Change change, String byDefault, String... synonyms) {
        this.key = key;
        this.change = change;
        this.byDefault = byDefault;
        this.synonyms = List.of(synonyms);
    }

    public String key() {
        return key;
    }

    public Change change() {
        return change;
    }

    /** The default; empty if it depends on other settings, or on the driver. */
    public String byDefault() {
        return byDefault;
    }

    public List<String> synonyms() {
        return synonyms;
    }

    static String plain(String name) {
        return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    static Optional<Setting> find(String name) {
        return Optional.ofNullable(BY_NAME.get(plain(name)));
    }

    /** @throws IllegalArgumentException if there is no such setting; its message names the nearest one */
    public static Setting named(String name) {
        Setting setting = BY_NAME.get(plain(name));
        if (setting == null) {
            throw new IllegalArgumentException("there is no setting " + name + ": did you mean " + nearest(name) + "?");
        }
        return setting;
    }

    private static String nearest(String name) {
        String best = JDBC_URL.key;
        int least = Integer.MAX_VALUE;
        for (Map.Entry<String, Setting> known : BY_NAME.entrySet()) {
            int distance = distance(plain(name), known.getKey());
            String key = known.getValue().key;
            if (distance < least || (distance == least && key.compareTo(best) < 0)) {
                least = distance;
                best = key;
            }
        }
        return best;
    }

    /** How many letters to add, drop or replace. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        Arrays.setAll(above, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
