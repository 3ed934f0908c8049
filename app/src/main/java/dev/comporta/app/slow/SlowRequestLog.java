package dev.comporta.app.slow;

import dev.comporta.app.text.Escapes;
import dev.comporta.ops.config.log.SlowLogConfig;
import dev.comporta.proxy.watch.SlowRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes a line for each slow request. Event loops report requests without waiting; a separate thread normalizes the
 * statements and writes. Requests beyond a rate are counted, and the next line has their number.
 */
public final class SlowRequestLog implements AutoCloseable {
    /** The logger of these lines, for sending them elsewhere or turning them off. */
    public static final String LOGGER = "dev.comporta.slow";

    static final int MOST_PENDING = 1000;
    static final int LINES_PER_SECOND = 100;
    private static final int LONGEST_DIGEST = 500;
    private static final int LONGEST_SQL = 2000;
    private static final long SECOND = 1_000_000_000L;
    private static final double MILLI = 1e6;

    private static final Logger log = LoggerFactory.getLogger(LOGGER);

    private final Queue<SlowRequest> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private volatile long thresholdNanos = Long.MAX_VALUE;
    private volatile boolean logSql;
    private volatile boolean closed;
    private final Thread writer;

    /** Used by the writer only, as is {@link #linesThisSecond}. */
    private long secondBegan = System.nanoTime() - SECOND;

    private int linesThisSecond;

    public SlowRequestLog() {
        writer = Thread.ofVirtual().name("slow-requests").start(this::write);
    }

    /** Applies new settings. */
    public void configure(SlowLogConfig settings) {
        logSql = settings.logSql();
        thresholdNanos = settings.slowRequest().isZero()
                ? Long.MAX_VALUE
                : settings.slowRequest().toNanos();
    }

    /** The duration from which on a request is slow. */
    public long thresholdNanos() {
        return thresholdNanos;
    }

    /** Reports a slow request. Never waits. */
    public void tell(SlowRequest request) {
        if (pendingCount.incrementAndGet() > MOST_PENDING) {
            pendingCount.decrementAndGet();
            dropped.addAndGet(1 + request.untold());
            return;
        }
        pending.add(request);
        LockSupport.unpark(writer);
    }

    private void write() {
        while (!closed) {
            SlowRequest request = pending.poll();
            if (request == null) {
                LockSupport.park(this);
            } else {
                pendingCount.decrementAndGet();
                write(request);
            }
        }
    }

    private void write(SlowRequest request) {
        long now = System.nanoTime();
        if (now - secondBegan >= SECOND) {
            secondBegan = now;
            linesThisSecond = 0;
        }
        if (linesThisSecond == LINES_PER_SECOND) {
            dropped.addAndGet(1 + request.untold());
            return;
        }
        linesThisSecond++;
        write(request, dropped.getAndSet(0) + request.untold());
    }

    private void write(SlowRequest request, long untold) {
        String sql = new String(request.statement(), StandardCharsets.UTF_16LE);
        StatementDigest digest = sql.isEmpty() ? StatementDigest.ofName(nameOf(request)) : StatementDigest.of(sql);
        LoggingEventBuilder line = log.atInfo();
        line = line.addKeyValue("bucket", request.bucket())
                .addKeyValue("client", request.client())
                .addKeyValue("address", request.address())
                .addKeyValue("login", request.login())
                .addKeyValue("digest", digest.hash())
                .addKeyValue("outcome", word(request.outcome()))
                .addKeyValue("total_ms", millis(request.totalNanos()))
                .addKeyValue("wait_ms", millis(request.waitNanos()))
                .addKeyValue("first_byte_ms", millis(request.firstByteNanos()))
                .addKeyValue("rows", request.rows())
                .addKeyValue("bytes_received", request.bytesReceived())
                .addKeyValue("bytes_sent", request.bytesSent())
                .addKeyValue("errors", request.errors())
                .addKeyValue("pinned", pin(request))
                .addKeyValue("procedure", request.procedure())
                .addKeyValue("statement", bounded(digest.text(), LONGEST_DIGEST, request.cutShort()));
        boolean withSql = logSql && !sql.isEmpty();
        if (withSql) {
            line = line.addKeyValue("sql", bounded(sql, LONGEST_SQL, request.cutShort()));
        }
        line.log(sentence(request, digest)
                + (withSql ? "; SQL: " + bounded(Escapes.escape(sql), LONGEST_SQL, request.cutShort()) : "")
                + (untold > 0 ? " (" + untold + " more were not logged)" : ""));
    }

    private static String sentence(SlowRequest request, StatementDigest digest) {
        String by = request.procedure().isEmpty() || request.statement().length == 0
                ? ""
                : " by " + Escapes.escape(request.procedure());
        return "slow request, %s after %s ms: bucket %s, client %d at %s, login %s; waited %s ms, first byte after %s ms, %d rows, %d bytes received, %d sent, %d errors, %s; statement %s%s: %s"
                .formatted(
                        word(request.outcome()),
                        millis(request.totalNanos()),
                        request.bucket(),
                        request.client(),
                        request.address(),
                        Escapes.escape(request.login()),
                        millis(request.waitNanos()),
                        millis(request.firstByteNanos()),
                        request.rows(),
                        request.bytesReceived(),
                        request.bytesSent(),
                        request.errors(),
                        request.pin() == null ? "not pinned" : "pinned (" + pin(request) + ")",
                        digest.hash(),
                        by,
                        bounded(Escapes.escape(digest.text()), LONGEST_DIGEST, request.cutShort()));
    }

    private static String nameOf(SlowRequest request) {
        return request.procedure().isEmpty() ? "empty batch" : request.procedure();
    }

    private static String pin(SlowRequest request) {
        return request.pin() == null ? "no" : word(request.pin());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / MILLI);
    }

    private static String bounded(String text, int longest, boolean goesOn) {
        return text.length() > longest ? text.substring(0, longest) + "…" : goesOn ? text + "…" : text;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
    }
}
