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

/** Counts refused client connections, and logs a line per reason and interval. Any thread. */
public final class RefusedConnections {
    /** The reason of a refusal. The names are labels of a metric. */
    public enum Reason {
        /** Denied by the listener's {@code allow} and {@code deny}. */
        DENIED,
        /** Denied by the bucket's. */
        DENIED_BY_BUCKET,
        /** The listener accepts only load balancers' connections, and the peer is no trusted one. */
        UNTRUSTED_SOURCE,
        /** A PROXY header from a peer that is no trusted load balancer. */
        UNTRUSTED_PROXY_HEADER,
        /** A trusted load balancer did not send the required header. */
        MISSING_PROXY_HEADER,
        BAD_PROXY_HEADER,
        /** More than max_clients_per_address. */
        TOO_MANY_FROM_ADDRESS,
        /** A password that was not sent to the server, after too many wrong ones of the same login. */
        TOO_MANY_FAILED_LOGINS,
        /** A pending login that was closed to make room for others. */
        TOO_MANY_PENDING_LOGINS,
        /** A pending login that held more memory than its share. */
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

    /** Counts a refusal that is logged elsewhere. */
    public void count(Reason reason) {
        of(reason).all.increment();
    }

    /** @param detail what happened and what to do about it, for the log */
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

    /** The number of refusals by the reason's label. */
    public SortedMap<String, Long> counts() {
        SortedMap<String, Long> sums = new TreeMap<>();
        counts.forEach((reason, count) -> sums.put(reason.label(), count.all.sum()));
        return sums;
    }

    private Count of(Reason reason) {
        return Objects.requireNonNull(counts.get(reason));
    }
}
