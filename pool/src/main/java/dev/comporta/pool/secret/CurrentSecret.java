package dev.comporta.pool.secret;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The secret of one login, fetched when a connection is opened and used until shortly before it expires. However many
 * connections are being opened, its source is called once at a time; after a failure there is a pause before the next call,
 * and requests meanwhile get the same failure. Thread-safe; no method blocks.
 */
public final class CurrentSecret<S> {
    /** A login that begins just before the secret expires must end before, too. */
    private static final long LONGEST_MARGIN_NANOS = Duration.ofSeconds(30).toNanos();

    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
    /** A source that works again should be found soon, and one call in 10 s burdens none. */
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final SecretSource<S> source;
    private final Executor executor;
    private final LongSupplier clock;

    private @Nullable S secret;
    private long goodUntil;
    /** The secret was fetched because the server had rejected the one before, and was not accepted yet. */
    private boolean onTrial;

    private @Nullable CompletableFuture<S> underWay;
    private int failures;
    private long retryAt;
    private @Nullable Throwable failure;

    /**
     * @param executor calls the source, which may block
     * @param clock nanoseconds since any origin
     */
    public CurrentSecret(SecretSource<S> source, Executor executor, LongSupplier clock) {
        this.source = source;
        this.executor = executor;
        this.clock = clock;
    }

    /** Calls the source on a virtual thread. */
    public CurrentSecret(SecretSource<S> source) {
        this(source, task -> Thread.ofVirtual().name("secret").start(task), System::nanoTime);
    }

    /** The secret to log in with now. */
    public CompletableFuture<S> get() {
        CompletableFuture<S> asked;
        synchronized (this) {
            if (secret != null && clock.getAsLong() - goodUntil < 0) {
                return CompletableFuture.completedFuture(secret);
            }
            if (underWay != null) {
                return underWay;
            }
            if (failure != null && clock.getAsLong() - retryAt < 0) {
                return CompletableFuture.failedFuture(failure);
            }
            asked = new CompletableFuture<>();
            underWay = asked;
        }
        executor.execute(() -> ask(asked));
        return asked;
    }

    /**
     * The server has rejected this secret, which may have been changed a moment ago: calls the source again, once. If the
     * server rejects the new secret as well, the source is not called again before that one expires.
     *
     * @return the secret to try instead; the same one if there is none
     */
    public CompletableFuture<S> insteadOf(S rejected) {
        synchronized (this) {
            boolean current = rejected.equals(secret);
            if (current && onTrial) {
                return CompletableFuture.completedFuture(rejected);
            }
            if (current) {
                goodUntil = clock.getAsLong();
                onTrial = true;
            }
        }
        return get();
    }

    /** The server has accepted it. */
    public synchronized void accepted(S accepted) {
        if (accepted.equals(secret)) {
            onTrial = false;
        }
    }

    private void ask(CompletableFuture<S> asked) {
        try {
            SecretSource.Issued<S> issued = source.fetch();
            keep(issued);
            asked.complete(issued.secret());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(asked, e);
        } catch (Throwable e) { // an Error too: a request that waits for the secret would wait for ever
            failed(asked, e);
        }
    }

    private synchronized void keep(SecretSource.Issued<S> issued) {
        long goodFor = issued.goodFor().toNanos();
        secret = issued.secret();
        goodUntil = clock.getAsLong() + goodFor - Math.min(goodFor / 10, LONGEST_MARGIN_NANOS);
        failures = 0;
        failure = null;
        underWay = null;
    }

    private void failed(CompletableFuture<S> asked, Throwable why) {
        synchronized (this) {
            long pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(failures, 16));
            failures++;
            failure = why;
            retryAt = clock.getAsLong() + pause;
            underWay = null;
        }
        asked.completeExceptionally(why);
    }
}
