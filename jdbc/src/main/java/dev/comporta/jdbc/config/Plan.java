package dev.comporta.jdbc.config;

import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.QueryTimes;
import dev.comporta.jdbc.session.SessionDefaults;
import dev.comporta.jdbc.session.StatementRules;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.ValidationSettings;
import java.sql.Connection;
import java.sql.Driver;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Turns settings into the core's settings, and into the way connections are opened. Errors name the wrong setting. */
public final class Plan {
    /** Used for a time of 0, which means never: the core counts nanoseconds, so it has a longest time. */
    private static final Duration NEVER = Duration.ofDays(365);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private static final Map<String, Integer> ISOLATIONS = Map.of(
            "NONE", Connection.TRANSACTION_NONE,
            "READ_UNCOMMITTED", Connection.TRANSACTION_READ_UNCOMMITTED,
            "READ_COMMITTED", Connection.TRANSACTION_READ_COMMITTED,
            "REPEATABLE_READ", Connection.TRANSACTION_REPEATABLE_READ,
            "SERIALIZABLE", Connection.TRANSACTION_SERIALIZABLE);

    private Plan() {}

    /** @param inFleet whether other instances share the limit */
    public static BucketSettings bucket(Settings s, boolean inFleet) {
        int max = s.number(Setting.MAXIMUM_POOL_SIZE);
        if (max < 1) {
            throw s.wrong(Setting.MAXIMUM_POOL_SIZE, "set 1 or more");
        }
        int ofFleet = fleetLimit(s, inFleet, max);
        // A default of 2 must not make a pool of 1 an error.
        boolean minByDefault = s.text(Setting.MINIMUM_IDLE).equals(Setting.MINIMUM_IDLE.byDefault());
        int min = minByDefault ? Math.min(max, s.number(Setting.MINIMUM_IDLE)) : s.number(Setting.MINIMUM_IDLE);
        if (min < 0 || min > max) {
            throw s.wrong(Setting.MINIMUM_IDLE, "set 0 to maximumPoolSize, which is " + max);
        }
        return BucketSettings.DEFAULTS
                .but()
                .maxConnections(ofFleet == 0 ? max : ofFleet)
                .logins(ofFleet == 0 ? LoginSettings.DEFAULTS : new LoginSettings(max, false, Map.of()))
                .minIdle(min)
                .maxIdleTime(orNever(s.time(Setting.IDLE_TIMEOUT)))
                .connectionTimeout(s.time(Setting.CONNECT_TIMEOUT))
                .resetOnRelease(s.flag(Setting.RESET_ON_RELEASE))
                .queue(new QueueSettings(
                        Duration.ofSeconds(30), // each caller brings its own
                        s.number(Setting.MAX_QUEUE_SIZE),
                        s.choice(Setting.WHEN_DOWN, QueueSettings.WhenDown.class)))
                .exhaustion(new ExhaustionSettings(
                        s.choice(Setting.EXHAUSTION_POLICY, ExhaustionSettings.Policy.class),
                        s.number(Setting.OVERFLOW_CONNECTIONS),
                        ExhaustionSettings.DEFAULTS.overflowLifetime()))
                .validation(new ValidationSettings(
                        s.flag(Setting.VALIDATE_ON_ACQUIRE),
                        s.flag(Setting.VALIDATE_ON_RELEASE),
                        s.time(Setting.VALIDATION_INTERVAL)))
                .reservoir(reservoir(s))
                .connectRate(new ConnectRateSettings(s.number(Setting.CONNECT_RATE), s.number(Setting.CONNECT_BURST)))
                .health(health(s))
                .build();
    }

    /** The limit of the whole fleet; 0 if the instances share {@code maximumPoolSize}. */
    private static int fleetLimit(Settings s, boolean inFleet, int max) {
        if (!inFleet) {
            if (s.isExplicit(Setting.FLEET_LIMIT)) {
                throw s.wrong(Setting.FLEET_LIMIT, "it has no effect without a fleet, so set leases or leave it out");
            }
            return 0;
        }
        if (!s.isSet(Setting.FLEET_LIMIT)) {
            return 0;
        }
        int limit = s.number(Setting.FLEET_LIMIT);
        if (limit < max) {
            throw s.wrong(Setting.FLEET_LIMIT, "set at least maximumPoolSize, which is " + max);
        }
        return limit;
    }

    /**
     * No connection gets older than {@code maxLifetime}. The core adds the jitter to its base lifetime, so the base is that
     * much shorter. Times that are not set are in proportion, so that a short lifetime needs no other setting.
     */
    private static ReservoirSettings reservoir(Settings s) {
        Duration longest = orNever(s.time(Setting.MAX_LIFETIME));
        ReservoirSettings usual = ReservoirSettings.DEFAULTS;
        Duration jitter = orShare(s, Setting.LIFETIME_JITTER, usual.lifetimeJitter(), longest.dividedBy(10));
        Duration guard = orShare(s, Setting.GUARD_WINDOW, usual.guardWindow(), longest.dividedBy(10));
        Duration ahead = orShare(s, Setting.REPLACE_AHEAD, usual.replaceAhead(), longest.dividedBy(20));
        int max = s.number(Setting.MAXIMUM_POOL_SIZE);
        if (s.number(Setting.TARGET_READY) > max) {
            throw s.wrong(Setting.TARGET_READY, "set 0 to maximumPoolSize, which is " + max);
        }
        Duration base = longest.minus(jitter);
        if (base.compareTo(guard.plus(ahead)) <= 0) {
            throw s.wrong(
                    Setting.MAX_LIFETIME,
                    "set more than lifetimeJitter + guardWindow + replaceAhead, which is "
                            + jitter.plus(guard).plus(ahead).toMillis() + " ms");
        }
        return new ReservoirSettings(
                s.number(Setting.TARGET_READY),
                s.number(Setting.LOW_WATERMARK),
                usual.refill(),
                usual.fastRefill(),
                base,
                jitter,
                guard,
                ahead);
    }

    private static Duration orShare(Settings s, Setting setting, Duration usual, Duration share) {
        if (s.isSet(setting)) {
            return s.time(setting);
        }
        return share.compareTo(usual) < 0 ? share : usual;
    }

    private static HealthSettings health(Settings s) {
        HealthSettings usual = HealthSettings.DEFAULTS;
        return new HealthSettings(
                check(s),
                s.flag(Setting.ENABLE_HEALTH_CHECK) ? s.time(Setting.KEEPALIVE_TIME) : Duration.ZERO,
                s.time(Setting.VALIDATION_TIMEOUT),
                s.number(Setting.FAILURE_THRESHOLD),
                s.number(Setting.RECOVERY_THRESHOLD),
                usual.backoff(),
                usual.maxBackoff());
    }

    /** A {@code connectionTestQuery} without a type means that checks use it. */
    private static HealthSettings.Check check(Settings s) {
        if (s.text(Setting.HEALTH_CHECK_TYPE).replace('-', '_').equalsIgnoreCase("full_validate")) {
            return HealthSettings.Check.FULL;
        }
        if (s.isSet(Setting.HEALTH_CHECK_TYPE)) {
            return s.choice(Setting.HEALTH_CHECK_TYPE, HealthSettings.Check.class);
        }
        return s.isSet(Setting.CONNECTION_TEST_QUERY) ? HealthSettings.Check.QUERY : HealthSettings.Check.PING;
    }

    private static Duration orNever(Duration time) {
        return time.isZero() ? NEVER : time;
    }

    /**
     * The login of the settings.
     *
     * @throws IllegalArgumentException if a token is needed and no signer is on the class path
     */
    public static Credentials credentials(Settings s) {
        if (Profile.isDsql(s) && !s.isSet(Setting.PASSWORD)) {
            DsqlCredentials.requireSigner();
        }
        return Credentials.of(s.textOrNull(Setting.USERNAME), s.textOrNull(Setting.PASSWORD));
    }

    /** How long a client waits for a connection: without limit if the setting is 0. */
    public static long connectionTimeoutNanos(Settings s) {
        Duration time = s.time(Setting.CONNECTION_TIMEOUT);
        return time.isZero() ? Long.MAX_VALUE : nanos(time);
    }

    /** The duration in nanoseconds, or the largest long if it is longer. */
    public static long nanos(Duration time) {
        return time.compareTo(LONGEST) < 0 ? time.toNanos() : Long.MAX_VALUE;
    }

    /** How many connections a new pool opens before the first request. */
    public static int warmUp(Settings s, BucketSettings bucket) {
        if (!s.flag(Setting.WARMUP_ON_CREATE)) {
            return 0;
        }
        int connections = s.number(Setting.WARMUP_CONNECTIONS);
        int max = s.number(Setting.MAXIMUM_POOL_SIZE);
        if (connections < 0 || connections > max) {
            throw s.wrong(Setting.WARMUP_CONNECTIONS, "set 0 to maximumPoolSize, which is " + max);
        }
        return Math.max(bucket.floor(), connections);
    }

    public static Opener opener(Settings s, Credentials credentials, LossRule lossRule) {
        return opener(s, credentials, lossRule, new QueryTimes());
    }

    /** @param times records the queries of all its sessions, if {@code collectQueryStats} is on */
    public static Opener opener(Settings s, Credentials credentials, LossRule lossRule, QueryTimes times) {
        String url = s.text(Setting.JDBC_URL);
        if (url.isEmpty()) {
            throw new IllegalArgumentException("jdbcUrl is not set: set the URL of the database");
        }
        if (!url.startsWith("jdbc:")) {
            throw new IllegalArgumentException("jdbcUrl does not begin with jdbc: set a JDBC URL");
        }
        Driver driver = Drivers.of(url, s.text(Setting.DRIVER_CLASS_NAME));
        return new Opener(
                url,
                driver,
                Profile.dialect(s),
                s.driverProperties(),
                Profile.credentials(s, credentials),
                defaults(s),
                lossRule,
                s.textOrNull(Setting.CONNECTION_TEST_QUERY),
                s.time(Setting.CONNECT_TIMEOUT),
                new StatementRules(queryTimeoutSeconds(s), s.flag(Setting.COLLECT_QUERY_STATS) ? times : null));
    }

    /** JDBC takes it in seconds. */
    private static int queryTimeoutSeconds(Settings s) {
        long seconds = s.time(Setting.QUERY_TIMEOUT).plusMillis(999).toSeconds();
        if (seconds > Integer.MAX_VALUE) {
            throw s.wrong(Setting.QUERY_TIMEOUT, "set a shorter duration, or 0 for no end");
        }
        return (int) seconds;
    }

    private static SessionDefaults defaults(Settings s) {
        return new SessionDefaults(
                s.flagOrNull(Setting.AUTO_COMMIT),
                s.flagOrNull(Setting.READ_ONLY),
                s.isSet(Setting.TRANSACTION_ISOLATION) ? isolation(s) : null,
                s.textOrNull(Setting.CATALOG),
                s.textOrNull(Setting.SCHEMA),
                s.textOrNull(Setting.CONNECTION_INIT_SQL));
    }

    private static int isolation(Settings s) {
        String name = s.text(Setting.TRANSACTION_ISOLATION).toUpperCase(Locale.ROOT);
        Integer level = ISOLATIONS.get(name.startsWith("TRANSACTION_") ? name.substring(12) : name);
        if (level == null) {
            throw s.wrong(
                    Setting.TRANSACTION_ISOLATION,
                    "set read_uncommitted, read_committed, repeatable_read or serializable");
        }
        return level;
    }
}
