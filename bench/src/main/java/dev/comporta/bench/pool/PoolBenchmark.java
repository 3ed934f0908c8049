package dev.comporta.bench.pool;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.QueueSettings;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures acquiring and releasing a connection: an idle one, and with longer and longer queues at a full bucket.
 * {@code gc.alloc.rate.norm} is bytes per operation.
 */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PoolBenchmark {
    private static final int LIMIT = 50;

    /** A bucket whose clock advances by a nanosecond with each event. */
    private static final class Driven {
        final Bucket bucket;
        final Pool pool;
        long now;

        Driven(int maxQueue) {
            BucketSettings settings = BucketSettings.DEFAULTS
                    .but()
                    .maxConnections(LIMIT)
                    .queue(new QueueSettings(Duration.ofDays(300), maxQueue))
                    .build();
            SplittableRandom random = new SplittableRandom(1);
            bucket = new Bucket(
                    "bench", settings, new Instant(), new LocalLeases(), random, SessionDistance.EQUAL_OR_NOT, 0);
            pool = bucket.pool("pool", "login");
        }

        void request(Waiter waiter) {
            bucket.request(waiter, pool, null, tick());
        }

        void release(Waiter waiter) {
            bucket.release(connectionOf(waiter), null, tick());
        }

        private static ServerConnection connectionOf(Waiter waiter) {
            @Nullable ServerConnection c = waiter.connection();
            if (c == null) {
                throw new IllegalStateException("the queue is out of order");
            }
            return c;
        }

        private long tick() {
            now++; // so that no connection reaches its lifetime during a run
            return now;
        }
    }

    /** Fifty ready connections, used by more clients than that, one after the other. */
    @State(Scope.Thread)
    public static class IdlePool {
        private final Driven driven = new Driven(1000);
        private final Waiter[] clients = new Waiter[64];
        private int next;

        @Setup
        public void fill() {
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new Waiter("client " + i);
            }
            for (int i = 0; i < LIMIT; i++) {
                driven.request(clients[i]);
            }
            for (int i = 0; i < LIMIT; i++) {
                driven.release(clients[i]);
            }
        }
    }

    /** Every connection in use, and a queue of constant length: each served client queues again. */
    @State(Scope.Thread)
    public static class FullPool {
        @Param({"10", "1000", "100000"})
        int waiting;

        private Driven driven = new Driven(1);
        private Waiter[] clients = {};
        private int next;

        @Setup
        public void fill() {
            driven = new Driven(waiting + LIMIT);
            clients = new Waiter[LIMIT + waiting];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new Waiter("client " + i);
                driven.request(clients[i]);
            }
        }
    }

    @Benchmark
    public @Nullable ServerConnection acquireAndReleaseIdle(IdlePool state) {
        Waiter client = state.clients[state.next++ & (state.clients.length - 1)];
        state.driven.request(client);
        ServerConnection connection = client.connection();
        state.driven.release(client);
        return connection;
    }

    /** The release serves the oldest waiter; the client that released queues again. */
    @Benchmark
    public void releaseToWaiterAndQueueAgain(FullPool state) {
        Waiter client = state.clients[state.next];
        state.next = state.next + 1 == state.clients.length ? 0 : state.next + 1;
        state.driven.release(client);
        state.driven.request(client);
    }

    /** A waiter in the middle of the queue cancels, and queues again. */
    @Benchmark
    public boolean cancelAndQueueAgain(FullPool state) {
        int span = state.clients.length - LIMIT;
        state.next = (state.next + 7) % span;
        Waiter client = state.clients[LIMIT + state.next];
        boolean cancelled = state.driven.bucket.cancel(client, state.driven.tick());
        state.driven.request(client);
        return cancelled;
    }
}
