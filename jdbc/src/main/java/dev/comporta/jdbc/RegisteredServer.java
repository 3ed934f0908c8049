package dev.comporta.jdbc;

import dev.comporta.jdbc.carrier.Account;
import dev.comporta.jdbc.carrier.Carrier;
import dev.comporta.jdbc.config.FleetPlan;
import dev.comporta.jdbc.config.Plan;
import dev.comporta.jdbc.config.Profile;
import dev.comporta.jdbc.config.ServerOptions;
import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.config.Settings;
import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.handle.ConnectionHandle;
import dev.comporta.jdbc.handle.Returns;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.QueryTimes;
import dev.comporta.jdbc.session.SessionFigures;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.jdbc.stats.ServerStatistics;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.stats.BucketSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server of the registry: one bucket, with a pool for each local user. Thread-safe. */
final class RegisteredServer {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** How long a new user's pool may take to warm up; after that, its connections are opened on demand. */
    private static final Duration WARM_UP_TIMEOUT = Duration.ofSeconds(10);
    /** The mapping of users without one of their own. */
    static final String ANYBODY = "*";

    private static final Set<Setting> OF_FLEET = EnumSet.of(
            Setting.LEASES,
            Setting.INSTANCE_ID,
            Setting.HEARTBEAT_INTERVAL,
            Setting.HEARTBEAT_TTL,
            Setting.FALLBACK,
            Setting.LOCAL_LIMIT_DIVISOR);

    private final Carrier carrier;
    private final Returns returns;
    private final QueryTimes queryTimes = new QueryTimes();
    private final Map<String, Credentials> mappings = new HashMap<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private final boolean inFleet;
    /** The fleet membership of this server alone; closed with it. */
    private final @Nullable LeaseSource joined;

    private ServerDefinition definition;
    private Settings settings;
    private int minimumIdle;
    private @Nullable LeakAlarm leakAlarm;

    /** @param ofRegistry the registry's source, for servers that have no {@code leases} of their own */
    RegisteredServer(ServerDefinition definition, LeaseSource ofRegistry) {
        this.definition = definition;
        settings = Profile.over(definition.settings());
        FleetPlan fleet = FleetPlan.of(settings);
        inFleet = fleet != null || !ofRegistry.equals(LeaseSource.LOCAL);
        BucketSettings bucket = checked(definition, settings);
        minimumIdle = bucket.floor();
        joined = fleet == null ? null : fleet.join();
        try {
            carrier = new Carrier(definition.name(), bucket, CLOSE_TIMEOUT, joined == null ? ofRegistry : joined);
        } catch (RuntimeException | Error e) {
            end(joined);
            throw e;
        }
        returns = carrier::giveBack;
        leakAlarm = LeakAlarm.of(definition.name(), settings);
    }

    private static void end(@Nullable LeaseSource joined) {
        if (joined != null) {
            joined.close();
        }
    }

    /** Finds mistakes before anything runs. */
    private BucketSettings checked(ServerDefinition definition, Settings settings) {
        BucketSettings bucket = Plan.bucket(settings, inFleet);
        Plan.warmUp(settings, bucket);
        Plan.opener(settings, Credentials.of(null, null), definition.lossRule());
        settings.time(Setting.SHUTDOWN_TIMEOUT);
        Plan.connectionTimeoutNanos(settings);
        settings.time(Setting.LEAK_DETECTION_THRESHOLD);
        return bucket;
    }

    Carrier carrier() {
        return carrier;
    }

    /** The server's JDBC URL, without secrets. */
    synchronized String url() {
        return Opener.withoutSecrets(settings.text(Setting.JDBC_URL));
    }

    synchronized boolean hasLogin() {
        return settings.isSet(Setting.USERNAME) || !mappings.isEmpty();
    }

    Connection acquire(String localUser, @Nullable Duration timeout) throws SQLException {
        long since = System.nanoTime();
        while (true) {
            Account account;
            long wait;
            LeakAlarm leaks;
            synchronized (this) {
                account = accountOf(localUser);
                wait = timeout == null ? Plan.connectionTimeoutNanos(settings) : Plan.nanos(timeout);
                leaks = leakAlarm;
            }
            try {
                long left = wait == Long.MAX_VALUE ? wait : wait - (System.nanoTime() - since);
                return ConnectionHandle.lend(carrier.acquire(account, left), returns, LeakAlarm.watchOf(leaks));
            } catch (SQLNonTransientConnectionException e) {
                if (!account.isRetired()) {
                    throw e;
                }
                // The user was mapped to another login meanwhile: tries that one.
            }
        }
    }

    int warmUp(String localUser, int connections, Duration deadline) throws SQLException {
        Account account;
        synchronized (this) {
            account = accountOf(localUser);
        }
        return carrier.warmUp(account, connections, deadline).join();
    }

    private Account accountOf(String localUser) throws SQLException {
        Account account = accounts.get(localUser);
        if (account == null) {
            account = newAccount(localUser, credentialsOf(localUser));
            warmUp(account, 1); // the request that creates it opens one anyway
        }
        return account;
    }

    private Account newAccount(String localUser, Credentials credentials) {
        Account account = new Account(localUser, Plan.opener(settings, credentials, definition.lossRule(), queryTimes));
        accounts.put(localUser, account);
        return account;
    }

    private void warmUp(Account account, int unlessAtMost) {
        int first = Plan.warmUp(settings, Plan.bucket(settings, inFleet));
        if (first > unlessAtMost) {
            var _ = carrier.warmUp(account, first, WARM_UP_TIMEOUT);
        }
    }

    private Credentials credentialsOf(String localUser) throws SQLException {
        Credentials mapped = mappings.getOrDefault(localUser, mappings.get(ANYBODY));
        if (mapped != null) {
            return mapped;
        }
        if (settings.isSet(Setting.USERNAME)) {
            return Credentials.of(settings.text(Setting.USERNAME), settings.textOrNull(Setting.PASSWORD));
        }
        throw new SQLInvalidAuthorizationSpecException(
                "server " + definition.name() + ": no mapping for local user \"" + localUser
                        + "\": map it to a login of the server, or set username and password of the server",
                "28000");
    }

    /** The user's own mapping; null if there is none. */
    synchronized @Nullable Credentials mapping(String localUser) {
        return mappings.get(localUser);
    }

    /** The connections of the user's former login close when they are returned; those of the new one are opened now. */
    synchronized void map(String localUser, @Nullable Credentials credentials) {
        if (credentials == null) {
            mappings.remove(localUser);
        } else {
            mappings.put(localUser, credentials);
        }
        if (localUser.equals(ANYBODY)) {
            renewAccounts();
        } else {
            retire(accounts.remove(localUser));
            if (credentials != null) {
                warmUp(newAccount(localUser, credentials), 0);
            }
        }
    }

    /** @param other computes the new mapping from the present one, which is null if there is none */
    synchronized void remap(String localUser, UnaryOperator<@Nullable Credentials> other) {
        map(localUser, other.apply(mappings.get(localUser)));
    }

    private void renewAccounts() {
        accounts.values().forEach(this::retire);
        accounts.clear();
    }

    private void retire(@Nullable Account account) {
        if (account != null) {
            carrier.retire(account);
        }
    }

    /**
     * Limits and times change at once. With another URL, driver or login, connections are replaced.
     *
     * @return whether connections are replaced
     */
    synchronized boolean alter(UnaryOperator<ServerDefinition> change) {
        ServerDefinition to = change.apply(definition);
        Settings changed = Profile.over(to.settings());
        for (Setting setting : OF_FLEET) {
            if (!changed.text(setting).equals(settings.text(setting))) {
                throw changed.wrong(setting, "it can't change while the server is registered: unregister it first");
            }
        }
        BucketSettings bucket = checked(to, changed);
        boolean reopens = differs(changed, settings) || !to.lossRule().equals(definition.lossRule());
        carrier.reconfigure(bucket);
        if (!changed.time(Setting.LEAK_DETECTION_THRESHOLD).equals(settings.time(Setting.LEAK_DETECTION_THRESHOLD))) {
            LeakAlarm.end(leakAlarm);
            leakAlarm = LeakAlarm.of(to.name(), changed);
        }
        settings = changed;
        minimumIdle = bucket.floor();
        definition = to;
        if (reopens) {
            renewAccounts();
        }
        return reopens;
    }

    private static boolean differs(Settings a, Settings b) {
        for (Setting setting : Setting.values()) {
            if (setting.change() == Setting.Change.RESTART && !a.text(setting).equals(b.text(setting))) {
                return true;
            }
        }
        return !a.driverProperties().equals(b.driverProperties());
    }

    void resize(int connections) {
        alter(now -> {
            Map<String, String> options = ServerOptions.canonical(now.options());
            options.put(Setting.MAXIMUM_POOL_SIZE.key(), Integer.toString(connections));
            return now.with(options);
        });
    }

    PoolStatistics poolStatistics() {
        return poolStatistics(carrier.snapshot(), carrier.sessions().values());
    }

    private PoolStatistics poolStatistics(BucketSnapshot now, Collection<SessionFigures> sessions) {
        int min;
        int max;
        boolean countsQueries;
        synchronized (this) {
            min = minimumIdle;
            max = settings.number(Setting.MAXIMUM_POOL_SIZE);
            countsQueries = settings.flag(Setting.COLLECT_QUERY_STATS);
        }
        return PoolStatistics.of(
                now,
                new PoolStatistics.Beside(
                        max,
                        min,
                        carrier.timeouts(),
                        carrier.parkedLoans(),
                        carrier.usageNanos(),
                        sessions,
                        countsQueries ? queryTimes.snapshot() : null));
    }

    ServerStatistics statistics() {
        BucketSnapshot now = carrier.snapshot();
        Map<Long, SessionFigures> sessions = carrier.sessions();
        PoolStatistics pool = poolStatistics(now, sessions.values());
        return ServerStatistics.of(now, Dialect.of(url()), url(), pool, sessions);
    }

    void close() {
        Duration patience;
        LeakAlarm leaks;
        synchronized (this) {
            patience = settings.time(Setting.SHUTDOWN_TIMEOUT);
            leaks = leakAlarm;
            leakAlarm = null;
        }
        carrier.close(patience);
        end(joined);
        LeakAlarm.end(leaks);
    }
}
