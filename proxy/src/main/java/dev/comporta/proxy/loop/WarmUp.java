package dev.comporta.proxy.loop;

import dev.comporta.pool.Pool;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.WarmUpSettings;
import dev.comporta.proxy.watch.ClientLines;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Opens the first connections of a bucket whose account is known, before any client connects. Ends once, whatever the
 * outcome: listeners don't wait beyond its deadline, nor for a server that is down. Confined to the bucket's loop.
 */
final class WarmUp {
    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    private final String bucketId;
    private final BucketRunner runner;
    private final Promise<Void> over;
    private @Nullable Pool pool;

    WarmUp(String bucketId, BucketRunner runner, Promise<Void> over) {
        this.bucketId = bucketId;
        this.runner = runner;
        this.over = over;
    }

    Future<Void> over() {
        return over;
    }

    /** @param expected the pool whose connections to open; null if not known */
    void begin(@Nullable ServerPool expected, WarmUpSettings settings) {
        if (expected == null || settings.connections() == 0) {
            over.trySuccess(null);
            return;
        }
        pool = expected.pool();
        runner.warmUp(
                expected.pool(),
                settings.connections(),
                runner.now() + settings.deadline().toNanos());
    }

    /** The wanted number is open, or the time has expired. */
    void done(Pool which, int ready, int wanted) {
        if (which.equals(pool) && !over.isDone()) {
            line(Level.INFO)
                    .log(
                            "bucket {}: warm-up done: {} of {} connections are ready for {}",
                            bucketId,
                            ready,
                            wanted,
                            which.login());
            over.trySuccess(null);
        }
    }

    void rejected(Pool which) {
        if (which.equals(pool) && !over.isDone()) {
            line(Level.WARN)
                    .log(
                            "bucket {}: the server rejects its account: no connection is ready before the first client",
                            bucketId);
            over.trySuccess(null);
        }
    }

    void unanswered(Pool which) {
        if (which.equals(pool) && !over.isDone()) {
            line(Level.WARN)
                    .log(
                            "bucket {}: the server does not answer the login of its account: no connection is ready before the first client",
                            bucketId);
            over.trySuccess(null);
        }
    }

    void withoutPassword(Pool which) {
        if (which.equals(pool) && !over.isDone()) {
            line(Level.WARN)
                    .log(
                            "bucket {}: its account has no password: no connection is ready before the first client",
                            bucketId);
            over.trySuccess(null);
        }
    }

    void serverIsDown() {
        if (pool != null && !over.isDone()) {
            line(Level.WARN)
                    .log("bucket {}: its server is down: no connection is ready before the first client", bucketId);
            over.trySuccess(null);
        }
    }

    private LoggingEventBuilder line(Level level) {
        return log.atLevel(level).addKeyValue(ClientLines.BUCKET, bucketId);
    }
}
