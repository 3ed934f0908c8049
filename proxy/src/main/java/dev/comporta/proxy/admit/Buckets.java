package dev.comporta.proxy.admit;

import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.proxy.listen.RefusedConnections;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.Steering;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientNumbers;
import dev.comporta.proxy.watch.News;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The buckets of an instance, each on one of its event loops. Changed by one thread at a time, read by all. */
public final class Buckets {
    /** For the servers to end their sessions when the instance stops, and for the lease store to hear of it. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final EventLoopGroup loops;
    private final Transport transport;
    private final SocketLimits limits;
    private final LeaseSource leases;
    private final News news;
    private final RefusedConnections refused;
    private final ClientNumbers numbers = new ClientNumbers();
    /** Those that clients can be sent to. */
    private final Map<String, Admission> byId = new ConcurrentSkipListMap<>();

    /** @param leases where the buckets' slots come from */
    public Buckets(
            EventLoopGroup loops,
            Transport transport,
            SocketLimits limits,
            LeaseSource leases,
            News news,
            RefusedConnections refused) {
        this.refused = refused;
        this.loops = loops;
        this.transport = transport;
        this.limits = limits;
        this.leases = leases;
        this.news = news;
    }

    /**
     * Adds buckets; clients can be sent to them when this returns, which is when their first connections are there or their
     * time is over. They warm up side by side: each ends by its own deadline, a dead server by its failures before that.
     */
    public void add(Collection<BucketSpec> specs) {
        Map<String, Admission> made = new TreeMap<>();
        for (BucketSpec spec : specs) {
            if (byId.containsKey(spec.id())) {
                throw new IllegalArgumentException("there is a bucket " + spec.id() + " already");
            }
            BucketLoop loop = new BucketLoop(spec, loops.next(), transport, limits, leases, numbers, news);
            made.put(spec.id(), new Admission(loop, limits, refused));
        }
        List<Future<Void>> begun = made.values().stream().map(Admission::warmUp).toList();
        begun.forEach(Future::awaitUninterruptibly);
        byId.putAll(made);
    }

    public Set<String> ids() {
        return Set.copyOf(byId.keySet());
    }

    /** Whether a client of whatever bucket may have several requests at the same time. */
    public boolean grantMars() {
        return byId.values().stream().allMatch(bucket -> bucket.bucketLoop().grantsMars());
    }

    @Nullable
    Admission find(String id) {
        return byId.get(id);
    }

    /** What the operator does with a bucket. */
    public Steering steering(String id) {
        return bucket(id).bucketLoop().steering();
    }

    /**
     * Closes a client of whatever bucket.
     *
     * @return is done when it is closed: true; or when no bucket has such a client: false
     */
    @SuppressWarnings("FutureReturnValueIgnored") // each tells the one that is returned
    public CompletableFuture<Boolean> kill(long client) {
        List<CompletableFuture<Boolean>> asked = byId.values().stream()
                .map(bucket -> bucket.bucketLoop().steering().kill(client))
                .toList();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        for (CompletableFuture<Boolean> bucket : asked) {
            bucket.thenAccept(hadIt -> {
                if (hadIt) {
                    closed.complete(true); // the others need not be waited for
                }
            });
        }
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).whenComplete((_, failed) -> {
            if (failed == null) {
                closed.complete(asked.stream().anyMatch(CompletableFuture::join));
            } else {
                closed.completeExceptionally(failed);
            }
        });
        return closed;
    }

    /** The number of each client, with its bucket. */
    public CompletableFuture<SortedMap<Long, String>> clients() {
        CompletableFuture<SortedMap<Long, String>> all = CompletableFuture.completedFuture(new TreeMap<>());
        for (Map.Entry<String, Admission> bucket : byId.entrySet()) {
            CompletableFuture<List<Long>> its =
                    bucket.getValue().bucketLoop().steering().clients();
            all = all.thenCombine(its, (seen, ids) -> {
                ids.forEach(id -> seen.put(id, bucket.getKey()));
                return seen;
            });
        }
        return all;
    }

    private Admission bucket(String id) {
        Admission bucket = byId.get(id);
        if (bucket == null) {
            throw new IllegalArgumentException("no bucket " + id);
        }
        return bucket;
    }

    /** Gives a bucket new settings, as far as it can take them over while it lives; see {@link BucketLoop#reconfigure}. */
    public void reconfigure(BucketSpec spec) {
        bucket(spec.id()).bucketLoop().reconfigure(spec);
    }

    /**
     * Takes a bucket out. Its clients may end their requests and transactions, and are cut off when the time is over.
     * Returns when nothing of it is left, here or in the fleet's books: its servers have ended all sessions.
     *
     * @return whether all clients left in time
     */
    public boolean remove(String id, Duration atMost) throws InterruptedException {
        BucketLoop bucket = bucket(id).bucketLoop();
        byId.remove(id);
        CountDownLatch drained = new CountDownLatch(1);
        bucket.drain(removed(id), atMost, drained::countDown);
        boolean inTime = drained.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        CountDownLatch stopped = new CountDownLatch(1);
        bucket.stop(removed(id), stopped::countDown);
        CompletableFuture<?> left = leases.left(id);
        stopped.await();
        try {
            left.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException late) {
            // Its lease ends by itself, in a while.
        }
        return inTime;
    }

    static String removed(String bucket) {
        return "bucket " + bucket + " was removed";
    }

    /** What a bucket is doing at this moment. Waits for its loop. */
    public Glance glance(String bucket) {
        return bucket(bucket).glance().syncUninterruptibly().getNow();
    }

    /**
     * What every bucket is doing at this moment, if its loop says so in time: one that is too busy is left out, so that the
     * caller does not wait for it. Not for event loops: it waits.
     */
    public Map<String, Glance> glances(Duration atMost) {
        return ask(byId, Admission::glance, atMost);
    }

    /** Everything in every bucket, one by one; as {@link #glances} otherwise. */
    public Map<String, BucketDetail> details(Duration atMost) {
        return ask(byId, Admission::detail, atMost);
    }

    /** Everything in one bucket; empty when it is not there, or too busy to say so in time. */
    public Optional<BucketDetail> detail(String bucket, Duration atMost) {
        Admission found = byId.get(bucket);
        return found == null
                ? Optional.empty()
                : Optional.ofNullable(
                        ask(Map.of(bucket, found), Admission::detail, atMost).get(bucket));
    }

    private static <T> Map<String, T> ask(
            Map<String, Admission> buckets, Function<Admission, Future<T>> question, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        Map<String, Future<T>> asked = new TreeMap<>();
        for (Map.Entry<String, Admission> bucket : buckets.entrySet()) {
            try {
                asked.put(bucket.getKey(), question.apply(bucket.getValue()));
            } catch (RejectedExecutionException stopped) {
                return Map.of(); // the loops end all together
            }
        }
        Map<String, T> seen = new TreeMap<>();
        asked.forEach((id, answer) -> {
            boolean done = answer.awaitUninterruptibly(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (done && answer.isSuccess()) {
                seen.put(id, answer.getNow());
            }
        });
        return seen;
    }

    /**
     * Lets clients end their requests and transactions, and closes them.
     *
     * @return whether all have left in time
     */
    public boolean drain(String why, Duration atMost) throws InterruptedException {
        CountDownLatch drained = new CountDownLatch(byId.size());
        byId.values().forEach(bucket -> bucket.bucketLoop().drain(why, atMost, drained::countDown));
        return drained.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Cuts off the clients. A server that takes its time to let go of its connections is not waited for. */
    public void stop(String why) {
        CountDownLatch stopped = new CountDownLatch(byId.size());
        byId.values().forEach(bucket -> bucket.bucketLoop().stop(why, stopped::countDown));
        try {
            boolean _ = stopped.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
