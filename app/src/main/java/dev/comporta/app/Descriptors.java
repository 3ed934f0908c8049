package dev.comporta.app;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.comporta.ops.config.bucket.BucketConfig;
import java.lang.management.ManagementFactory;
import java.util.Collection;

/**
 * Divides the file descriptors that the system allows this process. Clients get what is left when there are enough for
 * server connections, probers and Redis: without a reserve, many clients leave nobody a way to ask what is wrong.
 */
final class Descriptors {
    /** Two HTTP ports with 64 callers each; Redis, certificates, the log, the JVM's own files. */
    static final int RESERVE = 2 * 64 + 64;

    /** Enough to find out that the limit is too low. */
    private static final int LEAST = 16;

    private Descriptors() {}

    /** How many sockets clients may have, logged in or not; 0 where the system does not tell its limit. */
    static int forClients(Collection<BucketConfig> buckets) {
        long servers = buckets.stream()
                .mapToLong(bucket -> bucket.capacity().maxConnections())
                .sum();
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? forClients(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount(), servers)
                : 0;
    }

    /** @param servers of which other instances may have the most, so that they get half of the limit at most */
    static int forClients(long limit, long open, long servers) {
        if (limit <= 0) {
            return 0;
        }
        long left = limit - open - RESERVE - Math.min(servers, limit / 2);
        return Math.clamp(left, LEAST, Integer.MAX_VALUE);
    }
}
