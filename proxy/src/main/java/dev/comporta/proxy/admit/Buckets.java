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
    /** How long to wait for servers to end their sessions when the instance stops, and for slots to be returned. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final EventLoopGroup loops;
    private final Transport transport;
    private final SocketLimits limits;
    private final LeaseSource leases;
    private final News news;
    private final RefusedConnections refused;
    private final ClientNumbers numbers = new ClientNumbers();
    /** The buckets that clients can be routed to. */
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
     * Adds buckets. Returns when their warm-up has ended; from then on clients can be routed to them. They warm up
     * concurrently, each until its own deadline or until its server's failures end it.
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

    /** Whether every bucket grants MARS. */
    public boolean grantMars() {
        return byId.values().stream().allMatch(bucket -> bucket.bucketLoop().grantsMars());
    }

    @Nullable
    Admission find(String id) {
        return byId.get(id);
    }

    /** The operator's orders to a bucket. */
    public Steering steering(String id) {
        return bucket(id).bucketLoop().steering();
    }

    /**
     * Closes a client of any bucket.
     *
     * @return completes with true when it is closed, or with false when no bucket has such a client
     */
    @SuppressWarnings("FutureReturnValueIgnored") // each completes the future that is returned
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

    /** Applies new settings to a bucket, as far as a running bucket can take them over; see {@link BucketLoop#reconfigure}. */
    public void reconfigure(BucketSpec spec) {
        bucket(spec.id()).bucketLoop().reconfigure(spec);
    }

    /**
     * Removes a bucket. Its clients may end their requests and transactions, and are closed when the time has expired.
     * Returns when its server has ended all sessions; the return of its slots to the fleet is waited for briefly.
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
            // The lease will expire by itself.
        }
        return inTime;
    }

    static String removed(String bucket) {
        return "bucket " + bucket + " was removed";
    }

    /** The state of a bucket now. Waits for its loop. */
    public Glance glance(String bucket) {
        return bucket(bucket).glance().syncUninterruptibly().getNow();
    }

    /** The state of every bucket now. A bucket whose loop does not answer in time is left out. Blocks: not for event loops. */
    public Map<String, Glance> glances(Duration atMost) {
        return ask(byId, Admission::glance, atMost);
    }

    /** The details of every bucket; as {@link #glances} otherwise. */
    public Map<String, BucketDetail> details(Duration atMost) {
        return ask(byId, Admission::detail, atMost);
    }

    /** The details of one bucket; empty if there is no such bucket, or its loop does not answer in time. */
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
                return Map.of(); // all loops stop at the same time
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

    /** Closes all clients. Waits for {@link #PATIENCE} at most until the servers have closed their connections. */
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
