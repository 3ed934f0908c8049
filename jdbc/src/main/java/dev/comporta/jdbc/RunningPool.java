package dev.comporta.jdbc;

import dev.comporta.jdbc.carrier.Account;
import dev.comporta.jdbc.carrier.Carrier;
import dev.comporta.jdbc.config.FleetPlan;
import dev.comporta.jdbc.config.Plan;
import dev.comporta.jdbc.config.Profile;
import dev.comporta.jdbc.config.Setting;
import dev.comporta.jdbc.config.Settings;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.handle.ConnectionHandle;
import dev.comporta.jdbc.handle.LeakWatch;
import dev.comporta.jdbc.handle.Returns;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.QueryTimes;
import dev.comporta.jdbc.stats.PoolMXBean;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.settings.BucketSettings;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A data source that has started. Any thread. */
final class RunningPool {
    private static final Logger log = LoggerFactory.getLogger(RunningPool.class);
    private static final AtomicInteger NAMELESS = new AtomicInteger();
    /** After this time a close that the driver has not finished counts as done. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Carrier carrier;
    private final Account account;
    private final Returns returns;
    private final @Nullable LeakAlarm leakAlarm;
    private final @Nullable LeakWatch leaks;
    private final @Nullable ObjectName mbean;
    private volatile long timeoutNanos;
    private volatile int minimumIdle;
    private volatile int maximum;
    private final boolean inFleet;
    /** The fleet membership of this pool alone; closed with it. */
    private final @Nullable LeaseSource joined;

    private RunningPool(
            String name,
            BucketSettings bucket,
            Settings settings,
            Opener opener,
            LeaseSource leases,
            @Nullable LeaseSource joined,
            PoolMXBean bean) {
        carrier = new Carrier(name, bucket, CLOSE_TIMEOUT, leases);
        this.joined = joined;
        inFleet = !leases.equals(LeaseSource.LOCAL);
        maximum = maximum(bucket);
        account = new Account(login(settings), opener);
        returns = carrier::giveBack;
        timeoutNanos = Plan.connectionTimeoutNanos(settings);
        minimumIdle = bucket.floor();
        leakAlarm = LeakAlarm.of(name, settings);
        leaks = LeakAlarm.watchOf(leakAlarm);
        mbean = settings.flag(Setting.REGISTER_MBEANS) ? register(name, bean) : null;
    }

    private static String login(Settings settings) {
        String user = settings.text(Setting.USERNAME);
        return user.isEmpty() ? "the URL's user" : user;
    }

    /** The limit of this process alone; without one, the bucket's limit holds, which another instance of the fleet may raise. */
    private static int maximum(BucketSettings bucket) {
        int ofLogin = bucket.logins().limit();
        return ofLogin == 0 ? Integer.MAX_VALUE : ofLogin;
    }

    /**
     * @param credentials null to take them from the settings
     * @param leases a source that was set by code; {@link LeaseSource#LOCAL} to follow the settings
     * @throws SQLException if {@code initializationFailTimeout} demands a connection, and there is none
     */
    static RunningPool start(
            Settings given, @Nullable Credentials credentials, LossRule lossRule, LeaseSource leases, PoolMXBean bean)
            throws SQLException {
        // All mistakes in the settings are found before anything runs.
        Settings settings = Profile.over(given);
        FleetPlan fleet = fleet(settings, leases);
        BucketSettings bucket = Plan.bucket(settings, fleet != null || !leases.equals(LeaseSource.LOCAL));
        Opener opener = Plan.opener(settings, credentials == null ? Plan.credentials(settings) : credentials, lossRule);
        int warmUp = Plan.warmUp(settings, bucket);
        Duration failAfter = settings.time(Setting.INITIALIZATION_FAIL_TIMEOUT);
        String name = settings.isSet(Setting.POOL_NAME)
                ? settings.text(Setting.POOL_NAME)
                : "comporta-" + NAMELESS.incrementAndGet();
        RunningPool pool = run(name, bucket, settings, opener, leases, fleet, bean);
        CompletableFuture<Integer> first =
                pool.carrier.warmUp(pool.account, Math.max(warmUp, failAfter.isZero() ? 0 : 1), longer(failAfter));
        if (!failAfter.isZero() && first.join() == 0) {
            SQLException cause = pool.account.lastFailure();
            pool.close(Duration.ofSeconds(1));
            throw new SQLTransientConnectionException(
                    "pool " + name + ": no connection within initializationFailTimeout (" + failAfter.toMillis()
                            + " ms): " + (cause == null ? "the server did not answer" : cause.getMessage()),
                    "08001",
                    cause);
        }
        log.info(
                "pool {} started: {}, at most {} connections",
                name,
                opener,
                Math.min(bucket.maxConnections(), maximum(bucket)));
        return pool;
    }

    /**
     * Checks the settings without starting anything.
     *
     * @throws IllegalArgumentException if a setting is wrong; its message names it
     */
    static void check(Settings given, @Nullable Credentials credentials, LossRule lossRule, LeaseSource leases) {
        Settings settings = Profile.over(given);
        FleetPlan fleet = fleet(settings, leases);
        Plan.warmUp(settings, Plan.bucket(settings, fleet != null || !leases.equals(LeaseSource.LOCAL)));
        Plan.opener(settings, credentials == null ? Plan.credentials(settings) : credentials, lossRule);
    }

    private static @Nullable FleetPlan fleet(Settings settings, LeaseSource leases) {
        FleetPlan fleet = FleetPlan.of(settings);
        if (fleet != null && !leases.equals(LeaseSource.LOCAL)) {
            throw settings.wrong(Setting.LEASES, "there is a leaseSource too, so remove one of them");
        }
        return fleet;
    }

    private static RunningPool run(
            String name,
            BucketSettings bucket,
            Settings settings,
            Opener opener,
            LeaseSource leases,
            @Nullable FleetPlan fleet,
            PoolMXBean bean) {
        if (fleet == null) {
            return new RunningPool(name, bucket, settings, opener, leases, null, bean);
        }
        LeaseSource joined = fleet.join();
        try {
            return new RunningPool(name, bucket, settings, opener, joined, joined, bean);
        } catch (RuntimeException | Error e) {
            joined.close();
            throw e;
        }
    }

    private static Duration longer(Duration failAfter) {
        return failAfter.isZero() ? Duration.ofSeconds(10) : failAfter;
    }

    String name() {
        return carrier.name();
    }

    Carrier carrier() {
        return carrier;
    }

    Connection lend() throws SQLException {
        return ConnectionHandle.lend(carrier.acquire(account, timeoutNanos), returns, leaks);
    }

    void reconfigure(Settings given) {
        Settings settings = Profile.over(given);
        BucketSettings bucket = Plan.bucket(settings, inFleet);
        long timeout = Plan.connectionTimeoutNanos(settings);
        carrier.reconfigure(bucket);
        timeoutNanos = timeout;
        minimumIdle = bucket.floor();
        maximum = maximum(bucket);
    }

    PoolStatistics statistics() {
        QueryTimes times = account.opener().statements().times();
        return PoolStatistics.of(
                carrier.snapshot(),
                new PoolStatistics.Beside(
                        maximum,
                        minimumIdle,
                        carrier.timeouts(),
                        carrier.parkedLoans(),
                        carrier.usageNanos(),
                        carrier.sessions().values(),
                        times == null ? null : times.snapshot()));
    }

    long leakSuspects() {
        return leaks == null ? 0 : leaks.suspects();
    }

    void close(Duration patience) {
        carrier.close(patience);
        if (joined != null) {
            joined.close();
        }
        LeakAlarm.end(leakAlarm);
        if (mbean != null) {
            unregister(mbean);
        }
    }

    private static @Nullable ObjectName register(String name, PoolMXBean bean) {
        try {
            ObjectName mbean = new ObjectName("dev.comporta:type=Pool,name=" + ObjectName.quote(name));
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new StandardMBean(bean, PoolMXBean.class, true), mbean);
            return mbean;
        } catch (JMException e) {
            log.warn(
                    "pool {}: could not register its MBean, because the name is taken or not allowed in JMX: set another poolName",
                    name,
                    e);
            return null;
        }
    }

    private static void unregister(ObjectName mbean) {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(mbean);
        } catch (JMException e) {
            log.debug("{} was gone from JMX already", mbean, e);
        }
    }
}
