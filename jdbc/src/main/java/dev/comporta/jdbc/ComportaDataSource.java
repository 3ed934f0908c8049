package dev.comporta.jdbc;

import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.config.Settings;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.PoolMXBean;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.pool.lease.LeaseSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections to one database for one login. It starts with the first connection that is asked for, and ends with
 * {@link #close}. Thread-safe.
 *
 * <pre>{@code
 * try (ComportaDataSource orders = new ComportaDataSource()) {
 *     orders.setJdbcUrl("jdbc:postgresql://db.example.com/orders");
 *     orders.setUsername("app");
 *     orders.setPassword(secret);
 *     orders.setMaximumPoolSize(20);
 *     try (Connection connection = orders.getConnection()) { … }
 * }
 * }</pre>
 */
public class ComportaDataSource extends DataSourceBean implements DataSource, PoolMXBean, AutoCloseable {
    private final Settings settings;
    private LeaseSource leases = LeaseSource.LOCAL;
    private LossRule lossRule = LossRule.NONE;
    private @Nullable Credentials credentials;
    private @Nullable PrintWriter logWriter;
    private volatile @Nullable RunningPool running;
    private boolean closed;

    public ComportaDataSource() {
        this(new Settings());
    }

    /**
     * With settings by name; {@code dataSource.…} is a property of the driver.
     *
     * @throws IllegalArgumentException if a setting is unknown; its message names the nearest one
     */
    public ComportaDataSource(Properties properties) {
        this(new Settings());
        for (String name : properties.stringPropertyNames()) {
            settings.set(name, properties.getProperty(name));
        }
    }

    ComportaDataSource(Settings settings) {
        this.settings = settings;
    }

    // Settings.

    @Override
    final synchronized void set(Setting setting, @Nullable String value) {
        RunningPool pool = running;
        if (pool == null) {
            settings.set(setting, value);
            return;
        }
        if (setting.change() == Setting.Change.RESTART) {
            throw new IllegalStateException(setting.key() + " can't be changed while pool " + pool.name()
                    + " runs: set it before the first connection is asked for");
        }
        Settings changed = new Settings(settings);
        changed.set(setting, value);
        pool.reconfigure(changed); // throws before anything is changed
        settings.set(setting, value);
    }

    @Override
    final synchronized @Nullable String get(Setting setting) {
        return settings.textOrNull(setting);
    }

    /** Sets by name, as the constructor does. */
    public final void setProperty(String name, String value) {
        if (name.startsWith("dataSource.")) {
            addDataSourceProperty(name.substring("dataSource.".length()), value);
        } else {
            set(Setting.named(name), value);
        }
    }

    /** Sets a property of the driver. */
    public final synchronized void addDataSourceProperty(String name, String value) {
        requireNotStarted("dataSource." + name);
        settings.setDriverProperty(name, value);
    }

    /** Sets the login's supplier for each opening, instead of {@code username} and {@code password}: for tokens that expire. */
    public final synchronized void setCredentials(Credentials supplier) {
        requireNotStarted("credentials");
        credentials = supplier;
    }

    /** Sets which errors end a connection, where the dialect's rules are not enough. */
    public final synchronized void setLossRule(LossRule rule) {
        requireNotStarted("lossRule");
        lossRule = rule;
    }

    /**
     * Shares {@code maximumPoolSize} and {@code connectRate} with all instances that have a pool of the same name. The
     * setting {@code leases} does the same by a URL; a source that is set here must be closed by its owner.
     */
    public final synchronized void setLeaseSource(LeaseSource source) {
        requireNotStarted("leaseSource");
        leases = source;
    }

    private void requireNotStarted(String what) {
        if (running != null) {
            throw new IllegalStateException(what + " can't be changed while the pool runs: set it before");
        }
    }

    // Connections.

    @Override
    public final Connection getConnection() throws SQLException {
        RunningPool pool = running;
        return (pool == null ? start() : pool).lend();
    }

    @Override
    public final Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "a data source has one login: set username and password, or use ServerRegistry for several", "0A000");
    }

    private synchronized RunningPool start() throws SQLException {
        RunningPool pool = running;
        if (pool != null) {
            return pool;
        }
        if (closed) {
            throw new SQLNonTransientConnectionException("the data source is closed: make another one", "08003");
        }
        pool = RunningPool.start(new Settings(settings), credentials, lossRule, leases, this);
        running = pool;
        return pool;
    }

    /** Checks the settings without starting the pool. */
    public final synchronized void validate() {
        RunningPool.check(settings, credentials, lossRule, leases);
    }

    /** Closes the pool: refuses waiting requests, waits up to {@code shutdownTimeout} for connections in use, then aborts them. */
    @Override
    public final void close() {
        RunningPool pool;
        Duration patience;
        synchronized (this) {
            closed = true;
            pool = running;
            patience = settings.time(Setting.SHUTDOWN_TIMEOUT);
        }
        if (pool != null) {
            pool.close(patience);
        }
    }

    public final synchronized boolean isClosed() {
        return closed;
    }

    // Figures and operations.

    private RunningPool runningPool() {
        RunningPool pool = running;
        if (pool == null) {
            throw new IllegalStateException("the pool has not started: it starts with the first connection");
        }
        return pool;
    }

    public final PoolStatistics statistics() {
        return runningPool().statistics();
    }

    @Override
    public final int getActiveConnections() {
        return statistics().active();
    }

    @Override
    public final int getIdleConnections() {
        return statistics().idle();
    }

    @Override
    public final int getTotalConnections() {
        return statistics().total();
    }

    @Override
    public final int getThreadsAwaitingConnection() {
        return statistics().waiting();
    }

    @Override
    public final int getMaximumPoolSize() {
        return settings.number(Setting.MAXIMUM_POOL_SIZE);
    }

    @Override
    public final boolean isHealthy() {
        return statistics().healthy();
    }

    @Override
    public final String getUnhealthyReason() {
        return statistics().unhealthyReason();
    }

    @Override
    public final long getAcquires() {
        return statistics().acquires();
    }

    @Override
    public final long getTimeouts() {
        return statistics().timeouts();
    }

    @Override
    public final long getErrors() {
        return statistics().errors();
    }

    @Override
    public final void softEvictConnections() {
        runningPool().carrier().reconnect();
    }

    @Override
    public final void suspendPool() {
        runningPool().carrier().pause();
    }

    @Override
    public final void resumePool() {
        runningPool().carrier().resume();
    }

    // Other methods of DataSource.

    @Override
    public final @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public final void setLogWriter(@Nullable PrintWriter writer) {
        logWriter = writer;
    }

    @Override
    public final void setLoginTimeout(int seconds) {
        setConnectTimeout(Duration.ofSeconds(seconds));
    }

    @Override
    public final synchronized int getLoginTimeout() {
        return (int) settings.time(Setting.CONNECT_TIMEOUT).toSeconds();
    }

    @Override
    public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("logs go to SLF4J", "0A000");
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("a ComportaDataSource can't be unwrapped as " + type.getName(), "0A000");
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
