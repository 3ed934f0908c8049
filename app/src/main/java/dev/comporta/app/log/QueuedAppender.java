package dev.comporta.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import dev.comporta.ops.config.log.LogFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Writes the log to standard error, on a thread of its own. Logging never waits, since event loops log: when the reader
 * of a pipe stops reading, lines wait in a queue, and beyond its bound they are dropped and counted.
 */
public final class QueuedAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    /** A line takes about half a kilobyte until it is written: 8 MB. */
    static final int MOST_WAITING = 16_384;

    /** Waiting lines are written together, up to about this size. */
    private static final int BATCH_BYTES = 32 << 10;

    private static final Duration STOP = Duration.ofSeconds(2);

    private final Queue<ILoggingEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final Queue<CountDownLatch> flushes = new ConcurrentLinkedQueue<>();

    // Used by the writer's thread only.
    private final Floods floods = new Floods(this::encode);
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
    private final JsonLines json = new JsonLines();

    private @Nullable Encoder<ILoggingEvent> encoder;
    private @Nullable OutputStream target;
    private @Nullable Thread writer;
    private volatile LogFormat format = LogFormat.TEXT;
    /** Whether the writer sleeps, or is about to: then the thread that adds a line wakes it. */
    private volatile boolean asleep;

    private volatile boolean stopping;

    /** For {@link LogFormat#TEXT}. Called by logback. */
    public void setEncoder(Encoder<ILoggingEvent> encoder) {
        this.encoder = encoder;
    }

    public Encoder<ILoggingEvent> getEncoder() {
        return format == LogFormat.JSON ? json : Objects.requireNonNull(encoder);
    }

    /** Writes to another stream than standard error. */
    void target(OutputStream instead) {
        target = instead;
    }

    void format(LogFormat wanted) {
        format = wanted;
    }

    @Override
    public void start() {
        if (encoder == null) {
            addError("no encoder for " + getName());
            return;
        }
        writer = Thread.ofPlatform().daemon().name("log").unstarted(this::write);
        super.start();
        writer.start();
    }

    @Override
    public void stop() {
        Thread running = writer;
        if (!isStarted() || running == null) {
            return;
        }
        super.stop();
        stopping = true;
        LockSupport.unpark(running);
        try {
            running.join(STOP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        String _ = event.getFormattedMessage(); // formatted now: the arguments may change
        if (waitingCount.incrementAndGet() > MOST_WAITING) {
            waitingCount.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        waiting.add(event);
        wake();
    }

    private void wake() {
        if (asleep) {
            LockSupport.unpark(writer);
        }
    }

    /**
     * Waits until all earlier lines are written, summary lines of floods included.
     *
     * @return whether they were written in time
     */
    boolean flush(Duration atMost) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        flushes.add(done);
        wake();
        return done.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void write() {
        while (true) {
            ILoggingEvent event = waiting.poll();
            if (event != null) {
                waitingCount.decrementAndGet();
                floods.take(event, System.nanoTime());
                if (batch.size() >= BATCH_BYTES) {
                    writeBatch();
                }
            } else if (stopping) {
                floods.endAll();
                writeBatch();
                return;
            } else {
                rest();
            }
        }
    }

    /** Called when the queue is empty: writes the batch, and waits. */
    private void rest() {
        floods.end(System.nanoTime());
        CountDownLatch asked = flushes.poll();
        if (asked != null) {
            floods.endAll();
        }
        writeBatch();
        for (; asked != null; asked = flushes.poll()) {
            asked.countDown();
        }
        asleep = true;
        if (waiting.isEmpty() && flushes.isEmpty() && !stopping) {
            LockSupport.parkNanos(this, floods.nanosToNext(System.nanoTime()));
        }
        asleep = false;
    }

    private void encode(ILoggingEvent event) {
        try {
            batch.writeBytes(getEncoder().encode(event));
        } catch (RuntimeException unprintable) {
            dropped.incrementAndGet();
        }
    }

    /** May block as long as the reader does not read. */
    private void writeBatch() {
        if (batch.size() > 0) {
            put();
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            encode(lossOf(lost));
            put();
        }
    }

    private void put() {
        OutputStream to = target == null ? System.err : target;
        try {
            to.write(batch.toByteArray());
            to.flush();
        } catch (IOException gone) {
            addError("the log can't be written", gone);
        } finally {
            batch.reset();
        }
    }

    private ILoggingEvent lossOf(long lines) {
        Logger logger = ((LoggerContext) getContext()).getLogger(QueuedAppender.class);
        String text = String.format(
                Locale.ROOT,
                "%,d lines of the log were dropped: standard error was not read fast enough."
                        + " Check the log collector, or lower the log level",
                lines);
        LoggingEvent event =
                new LoggingEvent(QueuedAppender.class.getName(), logger, Level.WARN, text, null, new Object[0]);
        event.addKeyValuePair(new KeyValuePair("dropped", lines));
        return event;
    }
}
