package dev.comporta.proxy.attach;

import dev.comporta.pool.Pool;
import dev.comporta.pool.settings.WarmUpSettings;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first connections of a bucket whose account is known, before any client has come. It is over once, whatever comes of
 * it: clients are not kept out for longer than its deadline, nor for a server that is down. Confined to the bucket's loop.
 */
final class WarmUp {
    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    private final BucketLoop bucketLoop;
    private final Promise<Void> over;
    private @Nullable Pool pool;

    WarmUp(BucketLoop bucketLoop, Promise<Void> over) {
        this.bucketLoop = bucketLoop;
        this.over = over;
    }

    Future<Void> over() {
        return over;
    }

    void begin() {
        try {
            open();
        } catch (RuntimeException e) {
            log.error("bucket {}", id(), e);
            over.tryFailure(e); // whoever waits for it must not wait for ever
        }
    }

    private void open() {
        WarmUpSettings settings = bucketLoop.spec().settings().warmUp();
        ServerPool expected =
                settings.connections() == 0 ? null : bucketLoop.admission().expected();
        if (expected == null) {
            over.trySuccess(null);
            return;
        }
        pool = expected.pool();
        long deadline = bucketLoop.now() + settings.deadline().toNanos();
        bucketLoop.runner().warmUp(expected.pool(), settings.connections(), deadline);
    }

    /** As many are there as were wanted, or the time is over. */
    void done(Pool which, int ready, int wanted) {
        if (which.equals(pool) && !over.isDone()) {
            log.info("bucket {}: {} of {} connections are ready for {}", id(), ready, wanted, which.login());
            over.trySuccess(null);
        }
    }

    void rejected(Pool which) {
        if (which.equals(pool) && !over.isDone()) {
            log.warn("bucket {}: its own account is rejected: nothing is ready before the first client", id());
            over.trySuccess(null);
        }
    }

    void unanswered(Pool which) {
        if (which.equals(pool) && !over.isDone()) {
            log.warn(
                    "bucket {}: the login of its own account is not answered: nothing is ready before the first client",
                    id());
            over.trySuccess(null);
        }
    }

    void serverIsDown() {
        if (pool != null && !over.isDone()) {
            log.warn("bucket {}: its server is down: nothing is ready before the first client", id());
            over.trySuccess(null);
        }
    }

    private String id() {
        return bucketLoop.spec().id();
    }
}
