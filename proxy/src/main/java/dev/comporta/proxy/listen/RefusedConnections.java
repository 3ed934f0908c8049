package dev.comporta.proxy.listen;

import dev.comporta.proxy.origin.ClientAddress;
import io.netty.channel.Channel;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the connections of clients that were refused, and logs some of them: as many as people can read. Any thread. */
public final class RefusedConnections {
    /** Why. The names are labels of a metric. */
    public enum Reason {
        /** By the listener's allow and deny. */
        DENIED,
        /** By the bucket's. */
        DENIED_BY_BUCKET,
        /** The listener takes connections of load balancers only, and this was none. */
        UNTRUSTED_SOURCE,
        /** A PROXY header that came from no trusted load balancer. */
        UNTRUSTED_PROXY_HEADER,
        /** A trusted load balancer sent none, and must. */
        MISSING_PROXY_HEADER,
        BAD_PROXY_HEADER,
        /** More than max_clients_per_address. */
        TOO_MANY_FROM_ADDRESS,
        /** A password that was not tried, because too many others of the same login were wrong. */
        TOO_MANY_FAILED_LOGINS,
        /** It had not logged in, and made room for others. */
        TOO_MANY_PENDING_LOGINS,
        /** It held more memory than its share before it had logged in. */
        PENDING_LOGIN_BYTES,
        MAX_CLIENTS,
        NO_FILE_DESCRIPTORS;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final class Count {
        final LongAdder all = new LongAdder();
        final AtomicLong toldAt = new AtomicLong(System.nanoTime() - TELLING_NANOS);
        final AtomicLong told = new AtomicLong();
    }

    private static final long TELLING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger log = LoggerFactory.getLogger(RefusedConnections.class);

    private final Map<Reason, Count> counts = new EnumMap<>(Reason.class);

    public RefusedConnections() {
        for (Reason reason : Reason.values()) {
            counts.put(reason, new Count());
        }
    }

    /** Counts one that is logged elsewhere. */
    public void count(Reason reason) {
        of(reason).all.increment();
    }

    /** @param detail what happened, for people; with what to do about it */
    void refused(Reason reason, Channel client, String listener, String detail) {
        Count count = of(reason);
        count.all.increment();
        long last = count.toldAt.get();
        long now = System.nanoTime();
        if (now - last < TELLING_NANOS || !count.toldAt.compareAndSet(last, now)) {
            return;
        }
        long sum = count.all.sum();
        log.warn(
                "client {} was refused by listener {}: {} ({}: {} connections refused since the last such line)",
                ClientAddress.of(client),
                listener,
                detail,
                reason.label(),
                sum - count.told.getAndSet(sum));
    }

    /** By the reasons' labels. */
    public SortedMap<String, Long> counts() {
        SortedMap<String, Long> sums = new TreeMap<>();
        counts.forEach((reason, count) -> sums.put(reason.label(), count.all.sum()));
        return sums;
    }

    private Count of(Reason reason) {
        return Objects.requireNonNull(counts.get(reason));
    }
}
