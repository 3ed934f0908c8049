package dev.comporta.jdbc.config;

import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.url.SharedLeases;
import dev.comporta.lease.url.StoreLocator;
import dev.comporta.lease.url.StoreOpener;
import dev.comporta.pool.lease.LeaseSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How a pool shares its limit with other instances: the settings, checked; the store is not connected yet.
 *
 * @param limit the name of the limit, which pools share
 */
public record FleetPlan(String url, StoreOpener store, LeaseSettings me, String limit) {
    /** The default instance name, the same for all pools of the process. */
    private static final class ThisProcess {
        /**
         * Two processes must not have one name, and neither the host's name nor a process id is unique among containers. To
         * have the slots of a dead process back at once, set {@code instanceId}.
         */
        static final String NAME = host() + "-" + ProcessHandle.current().pid() + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt(), 4);

        private static String host() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "host";
            }
        }
    }

    /**
     * The plan of these settings; null if the pool shares its limit with no other instance.
     *
     * @throws IllegalArgumentException if a setting is wrong; its message names it and says what to do
     */
    public static @Nullable FleetPlan of(Settings s) {
        String url = s.text(Setting.LEASES);
        if (url.isEmpty() || url.equals("local")) {
            return null;
        }
        StoreOpener store;
        try {
            store = StoreLocator.find(url);
        } catch (IllegalArgumentException e) {
            throw s.wrong(Setting.LEASES, String.valueOf(e.getMessage()));
        }
        return new FleetPlan(url, store, instance(s), limit(s));
    }

    private static LeaseSettings instance(Settings s) {
        Duration interval = s.time(Setting.HEARTBEAT_INTERVAL);
        Duration timeToLive = s.time(Setting.HEARTBEAT_TTL);
        if (interval.isZero()) {
            throw s.wrong(Setting.HEARTBEAT_INTERVAL, "set a duration such as 10s");
        }
        if (timeToLive.compareTo(interval.multipliedBy(2)) <= 0) {
            throw s.wrong(
                    Setting.HEARTBEAT_TTL,
                    "set more than twice heartbeatInterval, which is " + interval.toMillis() + " ms");
        }
        int divisor = s.number(Setting.LOCAL_LIMIT_DIVISOR);
        if (divisor < 1) {
            throw s.wrong(Setting.LOCAL_LIMIT_DIVISOR, "set at least the number of instances");
        }
        String id = s.text(Setting.INSTANCE_ID);
        return new LeaseSettings(
                id.isEmpty() ? ThisProcess.NAME : id, interval, timeToLive, s.flag(Setting.FALLBACK), divisor);
    }

    private static String limit(Settings s) {
        if (Profile.isDsql(s)) {
            return Profile.dsqlHost(s);
        }
        if (!s.isSet(Setting.POOL_NAME)) {
            throw new IllegalArgumentException(
                    "poolName is not set: with leases, the pools of one name share a limit, so set one");
        }
        return s.text(Setting.POOL_NAME);
    }

    /** Begins to connect, without waiting. To be closed after the pool. */
    public LeaseSource join() {
        return SharedLeases.OF_PROCESS.join(url, store, me, limit);
    }

    /** Without the password in the URL. */
    @Override
    public String toString() {
        return "limit " + limit;
    }
}
