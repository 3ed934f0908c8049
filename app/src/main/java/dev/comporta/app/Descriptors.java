package dev.comporta.app;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.comporta.ops.config.bucket.BucketConfig;
import java.lang.management.ManagementFactory;
import java.util.Collection;

/**
 * Divides the file descriptors that the system allows this process. Clients get those that server connections, HTTP and Redis
 * don't need: without a reserve, too many clients would block health checks and administrators too.
 */
final class Descriptors {
    /** For two HTTP ports with 64 callers each, and for Redis, certificates, the log, the JVM's own files. */
    static final int RESERVE = 2 * 64 + 64;

    /** Enough to connect and notice that the limit is too low. */
    private static final int LEAST = 16;

    private Descriptors() {}

    /** The number of sockets for clients, logged in or not; 0 if the system's limit is unknown. */
    static int forClients(Collection<BucketConfig> buckets) {
        long servers = buckets.stream()
                .mapToLong(bucket -> bucket.capacity().maxConnections())
                .sum();
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? forClients(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount(), servers)
                : 0;
    }

    /** @param servers of the whole fleet: at most half of the limit is kept for them, as other instances have most */
    static int forClients(long limit, long open, long servers) {
        if (limit <= 0) {
            return 0;
        }
        long left = limit - open - RESERVE - Math.min(servers, limit / 2);
        return Math.clamp(left, LEAST, Integer.MAX_VALUE);
    }
}
