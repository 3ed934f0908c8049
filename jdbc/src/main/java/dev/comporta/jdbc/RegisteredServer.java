package dev.comporta.jdbc;

import dev.comporta.jdbc.carrier.Account;
import dev.comporta.jdbc.carrier.Carrier;
import dev.comporta.jdbc.config.Plan;
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
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server of the registry: one bucket, with a pool for each local user. Thread-safe. */
final class RegisteredServer {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** The mapping of users without one of their own. */
    private static final String ANYBODY = "*";

    private final Carrier carrier;
    private final Returns returns;
    private final Map<String, Credentials> mappings = new HashMap<>();
    private final Map<String, Account> accounts = new HashMap<>();
    private ServerDefinition definition;
    private Settings settings;

    RegisteredServer(ServerDefinition definition, LeaseSource leases) {
        this.definition = definition;
        settings = definition.settings();
        BucketSettings bucket = Plan.bucket(settings);
        Plan.opener(settings, Credentials.of(null, null), definition.lossRule()); // finds mistakes before anything runs
        carrier = new Carrier(definition.name(), bucket, CLOSE_TIMEOUT, leases);
        returns = carrier::giveBack;
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
        Settings changed = to.settings();
        BucketSettings bucket = Plan.bucket(changed);
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
        carrier.reconfigure(Plan.bucket(changed));
        settings = changed;
    }

    ServerStatistics statistics() {
        String url;
        synchronized (this) {
            url = settings.text(Setting.JDBC_URL);
        }
        return ServerStatistics.of(carrier.snapshot(), url, carrier.timeouts());
    }

    void close() {
        Duration patience;
        synchronized (this) {
            patience = settings.time(Setting.SHUTDOWN_TIMEOUT);
        }
        carrier.close(patience);
    }
}
