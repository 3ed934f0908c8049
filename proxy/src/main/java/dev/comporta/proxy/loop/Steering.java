package dev.comporta.proxy.loop;

import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.watch.ClientLines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The operator's orders to a bucket while it serves. The public methods may be called on any thread; they act on the bucket's
 * loop and complete their futures on another thread, so that a waiting caller can't block the loop.
 */
public final class Steering {
    private static final Logger log = LoggerFactory.getLogger(Steering.class);

    private static final String KILLED = "an operator has ended this session";

    private final BucketLoop bucketLoop;
    /** Callers that wait until no client has a connection. */
    private List<CompletableFuture<Boolean>> quiescing = new ArrayList<>();

    Steering(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
    }

    /**
     * Gives no client a server connection from now on: requests wait in the queue.
     *
     * @return completes with true when no client has a connection any more, or with false if it was resumed or removed before
     */
    public CompletableFuture<Boolean> pause() {
        return onLoop(quiesced -> {
            boolean was = runner().isPaused();
            quiescing.add(quiesced);
            runner().pause();
            if (!runner().isPaused()) {
                giveUp(); // it was removed
            } else if (!was) {
                line().log("bucket {} paused; new requests wait in the queue", id());
            }
        });
    }

    /** @return whether it was paused */
    public CompletableFuture<Boolean> resume() {
        return onLoop(done -> {
            boolean was = runner().isPaused();
            int waiting = was ? runner().snapshot().waiting() : 0;
            runner().resume();
            giveUp();
            if (was) {
                line().log("bucket {} resumed; {} requests waited", id(), waiting);
            }
            tell(done, was);
        });
    }

    /**
     * Replaces the server connections that exist now: idle ones at once, others when they are released.
     *
     * @return the number of connections to be replaced
     */
    public CompletableFuture<Integer> reconnect() {
        return onLoop(done -> {
            BucketSnapshot before = runner().snapshot();
            int replaced = 0;
            for (ConnectionState state : ConnectionState.values()) {
                replaced += state.isLive() || state.isOpening() ? before.count(state) : 0;
            }
            line().log(
                            "bucket {}: replacing {} server connections, {} of them in use",
                            id(),
                            replaced,
                            before.active());
            bucketLoop.addresses().startOver();
            runner().reconnect();
            tell(done, replaced);
        });
    }

    /**
     * Closes a client, whatever it does; when called again, without waiting until its error is written.
     *
     * @return whether the bucket has such a client
     */
    public CompletableFuture<Boolean> kill(long client) {
        return onLoop(done -> tell(
                done,
                bucketLoop.sharing().kill(client, KILLED)
                        || bucketLoop.dedications().kill(client, KILLED)));
    }

    /** The numbers of its clients, in no particular order. */
    public CompletableFuture<List<Long>> clients() {
        return onLoop(done -> {
            List<Long> ids = new ArrayList<>();
            bucketLoop.sharing().listTo(ids::add);
            bucketLoop.dedications().listTo(ids::add);
            tell(done, ids);
        });
    }

    /** The bucket is paused, and no client has a connection any more. */
    void quiesced() {
        tellQuiescing(true);
    }

    /** The bucket is no longer paused, or has ended. */
    void giveUp() {
        tellQuiescing(false);
    }

    private void tellQuiescing(boolean quiesced) {
        List<CompletableFuture<Boolean>> told = quiescing;
        quiescing = new ArrayList<>();
        told.forEach(done -> tell(done, quiesced));
    }

    private <T> CompletableFuture<T> onLoop(Consumer<CompletableFuture<T>> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            bucketLoop.loop().execute(() -> {
                try {
                    action.accept(done);
                } catch (RuntimeException e) {
                    done.completeExceptionally(e);
                    throw e;
                }
            });
        } catch (RejectedExecutionException stopped) {
            done.completeExceptionally(stopped);
        }
        return done;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is the future that is completed
    private static <T> void tell(CompletableFuture<T> done, T outcome) {
        done.completeAsync(() -> outcome);
    }

    private BucketRunner runner() {
        return bucketLoop.runner();
    }

    private LoggingEventBuilder line() {
        return log.atInfo().addKeyValue(ClientLines.BUCKET, id());
    }

    private String id() {
        return bucketLoop.spec().id();
    }
}
