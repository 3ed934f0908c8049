package dev.comporta.proxy;

import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.proxy.attach.BucketLoop;
import dev.comporta.proxy.attach.BucketSpec;
import dev.comporta.proxy.listen.ClientPlaces;
import dev.comporta.proxy.listen.Listener;
import dev.comporta.proxy.listen.LoginBudget;
import dev.comporta.proxy.listen.LoopMove;
import dev.comporta.proxy.listen.LoopWatch;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.login.LoginReply;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.tds.login.Login7;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The data plane of one instance: listeners, event loops, and a bucket on each of them. */
public final class Proxy implements AutoCloseable {
    /** Decides which bucket a client belongs to. Asked on any event loop. */
    @FunctionalInterface
    public interface Routing {
        /** @param listener the name of the listener that the client came in by */
        Destination route(Login7 login, String listener);
    }

    /** Where a login leads. */
    public sealed interface Destination {
        record Bucket(String id) implements Destination {}

        /** @param reason for the client, with what can be done about it */
        record Nowhere(String reason) implements Destination {}
    }

    /** @param name what the routing calls it */
    public record ListenAddress(String name, InetSocketAddress address) {}

    /**
     * @param eventLoops 0 for one per core
     * @param tls asked for each client
     */
    public record Settings(
            List<ListenAddress> listeners,
            int eventLoops,
            Transport transport,
            Supplier<ClientTls> tls,
            Duration loginTimeout,
            SocketLimits limits) {
        public Settings {
            listeners = List.copyOf(listeners);
        }
    }

    private static final String STOPS = "this instance stops";

    /** For the servers to hang up; they are cut off after a second. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final EventLoopGroup acceptor;
    private final EventLoopGroup loops;
    private final LeaseSource leases;
    private final Transport transport;
    private final SocketLimits limits;
    private final ClientPlaces places;
    private final ClientPlaces sockets;
    private final LoginBudget budget;
    private final LoopWatch watch;
    /** Those that clients can be sent to. Changed by one thread at a time, read by all. */
    private final Map<String, BucketLoop> buckets = new ConcurrentSkipListMap<>();

    private final Routing routing;
    private final SequencedMap<String, Listener> listeners = new LinkedHashMap<>();
    private volatile boolean draining;

    private Proxy(Settings settings, List<BucketSpec> specs, Routing routing, LeaseSource leases) throws IOException {
        this.routing = routing;
        this.leases = leases;
        transport = settings.transport();
        limits = settings.limits();
        places = new ClientPlaces(limits.maxClients());
        sockets = new ClientPlaces(limits.maxSockets());
        budget = new LoginBudget(limits.logins());
        int threads = settings.eventLoops() == 0 ? Runtime.getRuntime().availableProcessors() : settings.eventLoops();
        loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("loop"), settings.transport().ioHandlers());
        acceptor = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("accept"), settings.transport().ioHandlers());
        watch = new LoopWatch(acceptor, loops);
        try {
            for (BucketSpec spec : specs) {
                buckets.put(spec.id(), BucketLoop.on(loops.next(), spec, transport, limits, leases));
            }
            warmUp(buckets.values());
            for (ListenAddress listener : settings.listeners()) {
                listeners.put(listener.name(), listen(listener, settings));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The buckets side by side: each ends by its own deadline, and a dead server by its failures before that. */
    private static void warmUp(Collection<BucketLoop> made) {
        List<Future<Void>> begun = made.stream().map(BucketLoop::warmUp).toList();
        begun.forEach(Future::awaitUninterruptibly);
    }

    private Listener listen(ListenAddress listener, Settings settings) throws IOException {
        return Listener.bind(
                listener.address(),
                acceptor,
                loops,
                settings.transport(),
                settings.tls(),
                settings.loginTimeout(),
                settings.limits(),
                budget,
                sockets,
                () -> buckets.values().stream().allMatch(BucketLoop::grantsMars),
                client -> arrived(client, listener.name()));
    }

    /** A proxy that shares its buckets' limits with nobody. */
    public static Proxy start(Settings settings, List<BucketSpec> buckets, Routing routing) throws IOException {
        return start(settings, buckets, routing, LeaseSource.LOCAL);
    }

    /**
     * Listens when the first connections of buckets whose account is known are there, or their time is over.
     *
     * @param leases where the buckets' slots come from; closed with the proxy
     */
    public static Proxy start(Settings settings, List<BucketSpec> buckets, Routing routing, LeaseSource leases)
            throws IOException {
        return new Proxy(settings, buckets, routing, leases);
    }

    /** How its sockets are served. */
    public Transport transport() {
        return transport;
    }

    /** Whether its event loops live. */
    public LoopWatch watch() {
        return watch;
    }

    /** Of the first listener. */
    public int port() {
        return listeners.firstEntry().getValue().port();
    }

    /** Where the listener is bound: of interest where any free port was asked for. */
    public int port(String listener) {
        Listener bound = listeners.get(listener);
        if (bound == null) {
            throw new IllegalArgumentException("no listener is called " + listener);
        }
        return bound.port();
    }

    /** The ids of the buckets that clients can be sent to. */
    public Set<String> buckets() {
        return Set.copyOf(buckets.keySet());
    }

    /**
     * Adds buckets; clients can be sent to them when this returns, which is when their first connections are there or their
     * time is over. Not for event loops, as {@link #reconfigure} and {@link #remove}; for one thread at a time, as those.
     */
    public void add(Collection<BucketSpec> specs) {
        Map<String, BucketLoop> made = new TreeMap<>();
        for (BucketSpec spec : specs) {
            if (buckets.containsKey(spec.id())) {
                throw new IllegalArgumentException("there is a bucket " + spec.id() + " already");
            }
            made.put(spec.id(), BucketLoop.on(loops.next(), spec, transport, limits, leases));
        }
        warmUp(made.values());
        buckets.putAll(made);
    }

    /** Gives a bucket new settings, as far as it can take them over while it lives; see {@link BucketLoop#reconfigure}. */
    public void reconfigure(BucketSpec spec) {
        bucket(spec.id()).reconfigure(spec);
    }

    /**
     * Takes a bucket out. Its clients may end their requests and transactions, and are cut off when the time is over.
     * Returns when nothing of it is left, here or in the fleet's books, or a little after that time.
     *
     * @return whether all clients left in time
     */
    public boolean remove(String id, Duration atMost) throws InterruptedException {
        BucketLoop bucket = bucket(id);
        buckets.remove(id);
        CountDownLatch drained = new CountDownLatch(1);
        bucket.loop().execute(() -> bucket.drain(removed(id), drained::countDown));
        boolean inTime = drained.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        CountDownLatch stopped = new CountDownLatch(1);
        bucket.loop().execute(() -> bucket.stop(removed(id), stopped::countDown));
        CompletableFuture<?> left = leases.left(id);
        boolean _ = stopped.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        try {
            left.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException late) {
            // Its lease ends by itself, in a while.
        }
        return inTime;
    }

    private static String removed(String bucket) {
        return "bucket " + bucket + " was removed";
    }

    private BucketLoop bucket(String id) {
        BucketLoop bucket = buckets.get(id);
        if (bucket == null) {
            throw new IllegalArgumentException("no bucket " + id);
        }
        return bucket;
    }

    /** What a bucket is doing at this moment. Waits for its loop. */
    public BucketLoop.Glance glance(String bucket) {
        return bucket(bucket).glance().syncUninterruptibly().getNow();
    }

    /**
     * What every bucket is doing at this moment, if its loop says so in time: one that is too busy is left out, so that
     * who asks is not kept waiting by it. Not for event loops: it waits.
     */
    public Map<String, BucketLoop.Glance> glances(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        Map<String, Future<BucketLoop.Glance>> asked = new TreeMap<>();
        for (BucketLoop bucket : buckets.values()) {
            try {
                asked.put(bucket.spec().id(), bucket.glance());
            } catch (RejectedExecutionException stopped) {
                return Map.of(); // the loops end all together
            }
        }
        Map<String, BucketLoop.Glance> seen = new TreeMap<>();
        asked.forEach((id, glance) -> {
            boolean done = glance.awaitUninterruptibly(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (done && glance.isSuccess()) {
                seen.put(id, glance.getNow());
            }
        });
        return seen;
    }

    private void arrived(ClientHello client, String listener) {
        if (draining) {
            LoginReply.refuse(client, ProxyError.SERVER_UNAVAILABLE, STOPS + ". Connect again.");
            return;
        }
        if (!places.take(client.channel())) {
            LoginReply.refuse(
                    client,
                    ProxyError.POOL_EXHAUSTED,
                    "this instance has as many clients as proxy.limits.max_clients allows. Connect again later.");
            return;
        }
        switch (routing.route(client.login(), listener)) {
            case Destination.Nowhere(String reason) -> LoginReply.refuse(client, ProxyError.NO_ROUTE, reason);
            case Destination.Bucket(String id) -> {
                BucketLoop bucket = buckets.get(id);
                if (bucket == null) {
                    // It was there when the route was looked up.
                    LoginReply.refuse(client, ProxyError.NO_ROUTE, removed(id) + ". Connect again.");
                    return;
                }
                LoopMove.move(
                        client.channel(),
                        bucket.loop(),
                        () -> bucket.admission().admit(client));
            }
        }
    }

    /**
     * Accepts no more clients, and lets those who are there end their requests and transactions; then they are closed.
     * Returns when all are gone, or the time is over. {@link #close} follows.
     *
     * @return whether all are gone
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        draining = true;
        listeners.values().forEach(Listener::close);
        CountDownLatch drained = new CountDownLatch(buckets.size());
        for (BucketLoop bucket : buckets.values()) {
            bucket.loop().execute(() -> bucket.drain(STOPS, drained::countDown));
        }
        return drained.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Stops at once: clients are cut off, and their transactions rolled back by the servers. Slots are given back when the
     * servers have let go of the connections; one that takes its time for that is not waited for.
     */
    @Override
    public void close() {
        watch.close();
        listeners.values().forEach(Listener::close);
        if (!loops.isShuttingDown()) {
            stopBuckets();
            leases.close();
        }
        Future<?> accepting = acceptor.shutdownGracefully(0, 5, TimeUnit.SECONDS);
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        accepting.syncUninterruptibly();
    }

    private void stopBuckets() {
        CountDownLatch stopped = new CountDownLatch(buckets.size());
        for (BucketLoop bucket : buckets.values()) {
            bucket.loop().execute(() -> bucket.stop(STOPS, stopped::countDown));
        }
        try {
            boolean _ = stopped.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
