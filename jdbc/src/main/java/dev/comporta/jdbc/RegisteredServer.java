package dev.comporta.jdbc;

import dev.comporta.jdbc.carrier.Account;
import dev.comporta.jdbc.carrier.Carrier;
import dev.comporta.jdbc.config.FleetPlan;
import dev.comporta.jdbc.config.Plan;
import dev.comporta.jdbc.config.Profile;
import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.config.Settings;
import dev.comporta.jdbc.handle.ConnectionHandle;
import dev.comporta.jdbc.handle.Returns;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.ServerStatistics;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A server of the registry: one bucket, with a pool for each local user. Thread-safe. */
final class RegisteredServer {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** The mapping of users without one of their own. */
    private static final String ANYBODY = "*";

    private static final Set<Setting> OF_FLEET = EnumSet.of(
            Setting.LEASES,
            Setting.INSTANCE_ID,
            Setting.HEARTBEAT_INTERVAL,
            Setting.HEARTBEAT_TTL,
            Setting.FALLBACK,
            Setting.LOCAL_LIMIT_DIVISOR);

    private final Carrier carrier;
    private final Returns returns;
    private final Map<String, Credentials> mappings = new HashMap<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private final boolean inFleet;
    /** What was joined for this server alone, and ends with it. */
    private final @Nullable LeaseSource joined;

    private ServerDefinition definition;
    private Settings settings;

    /** @param ofRegistry for servers that have no {@code leases} of their own */
    RegisteredServer(ServerDefinition definition, LeaseSource ofRegistry) {
        this.definition = definition;
        // Mistakes are found before anything runs.
        settings = Profile.over(definition.settings());
        FleetPlan fleet = FleetPlan.of(settings);
        inFleet = fleet != null || !ofRegistry.equals(LeaseSource.LOCAL);
        BucketSettings bucket = Plan.bucket(settings, inFleet);
        Plan.opener(settings, Credentials.of(null, null), definition.lossRule());
        joined = fleet == null ? null : fleet.join();
        try {
            carrier = new Carrier(definition.name(), bucket, CLOSE_TIMEOUT, joined == null ? ofRegistry : joined);
        } catch (RuntimeException | Error e) {
            end(joined);
            throw e;
        }
        returns = carrier::giveBack;
    }

    private static void end(@Nullable LeaseSource joined) {
        if (joined != null) {
            joined.close();
        }
    }

    Carrier carrier() {
        return carrier;
    }

    Connection acquire(String localUser, @Nullable Duration timeout) throws SQLException {
        Account account;
        Duration wait;
        synchronized (this) {
            account = accountOf(localUser);
            wait = timeout == null ? settings.time(Setting.CONNECTION_TIMEOUT) : timeout;
        }
        return ConnectionHandle.lend(carrier.acquire(account, wait.toNanos()), returns, null);
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
            account = new Account(localUser, Plan.opener(settings, credentialsOf(localUser), definition.lossRule()));
            accounts.put(localUser, account);
        }
        return account;
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

    /** The connections of the user's former login close when they are returned. */
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
        }
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

    /** Limits and times change at once. With another URL, driver or login, connections are replaced. */
    synchronized void update(ServerDefinition to) {
        Settings changed = Profile.over(to.settings());
        for (Setting setting : OF_FLEET) {
            if (!changed.text(setting).equals(settings.text(setting))) {
                throw changed.wrong(setting, "it can't change while the server is registered: unregister it first");
            }
        }
        BucketSettings bucket = Plan.bucket(changed, inFleet);
        Plan.opener(changed, Credentials.of(null, null), to.lossRule());
        boolean reopens = differs(changed, settings) || !to.lossRule().equals(definition.lossRule());
        carrier.reconfigure(bucket);
        settings = changed;
        definition = to;
        if (reopens) {
            renewAccounts();
        }
    }

    private static boolean differs(Settings a, Settings b) {
        for (Setting setting : Setting.values()) {
            if (setting.change() == Setting.Change.RESTART && !a.text(setting).equals(b.text(setting))) {
                return true;
            }
        }
        return !a.driverProperties().equals(b.driverProperties());
    }

    synchronized void resize(int connections) {
        Settings changed = new Settings(settings);
        changed.set(Setting.MAXIMUM_POOL_SIZE, Integer.toString(connections));
        changed = Profile.over(changed);
        carrier.reconfigure(Plan.bucket(changed, inFleet));
        settings = changed;
    }

    ServerStatistics statistics() {
        String url;
        synchronized (this) {
            url = settings.text(Setting.JDBC_URL);
        }
        return ServerStatistics.of(carrier.snapshot(), url, carrier.timeouts(), carrier.parkedLoans());
    }

    void close() {
        Duration patience;
        synchronized (this) {
            patience = settings.time(Setting.SHUTDOWN_TIMEOUT);
        }
        carrier.close(patience);
        end(joined);
    }
}
