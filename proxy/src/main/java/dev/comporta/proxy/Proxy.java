package dev.comporta.proxy;

import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.proxy.admit.Arrivals;
import dev.comporta.proxy.admit.Buckets;
import dev.comporta.proxy.admit.Routing;
import dev.comporta.proxy.console.ConsoleAccess;
import dev.comporta.proxy.listen.EntranceRules;
import dev.comporta.proxy.listen.Guards;
import dev.comporta.proxy.listen.Listener;
import dev.comporta.proxy.listen.RefusedConnections;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.EntryCounts;
import dev.comporta.proxy.watch.LoopWatch;
import dev.comporta.proxy.watch.News;
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
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The data plane of one instance: its listeners, its event loops, and the buckets on them. */
public final class Proxy implements AutoCloseable {
    /**
     * @param name the listener's name, as the routing knows it
     * @param rules which addresses may connect
     */
    public record ListenAddress(String name, InetSocketAddress address, EntranceRules rules) {
        /** Open to every address. */
        public ListenAddress(String name, InetSocketAddress address) {
            this(name, address, EntranceRules.OPEN);
        }
    }

    /**
     * @param eventLoops 0 for one per core
     * @param reusePort whether other processes may listen at the same addresses
     */
    public record Settings(
            List<ListenAddress> listeners,
            int eventLoops,
            Transport transport,
            boolean reusePort,
            ClientTls tls,
            Duration loginTimeout,
            SocketLimits limits) {
        public Settings {
            listeners = List.copyOf(listeners);
        }
    }

    private static final String STOPS = "this instance stops";

    /** Time for TCP handshakes that the kernel has begun: a round trip and one retransmission. */
    private static final Duration HAND_OVER = Duration.ofMillis(500);

    /** Time for pending logins to be answered. A client that takes longer, or never sends its LOGIN7, is not waited for. */
    private static final Duration LOGINS = Duration.ofSeconds(1);

    private static final int LOGINS_POLL_MILLIS = 10;

    /** Each of these two waits takes at most a quarter of the drain time. */
    private static final int SHARE = 4;

    private final Settings settings;
    private final EventLoopGroup acceptor;
    private final EventLoopGroup loops;
    private final LeaseSource leases;
    private final LoopWatch watch;
    private final Buckets buckets;
    private final Arrivals arrivals;
    private final EntryCounts counts = new EntryCounts();
    private final RefusedConnections refused = new RefusedConnections();
    private final Guards guards;
    private final SequencedMap<String, Listener> listeners = new LinkedHashMap<>();

    private Proxy(Settings settings, List<BucketSpec> specs, Routing routing, LeaseSource leases, News news)
            throws IOException {
        this.settings = settings;
        this.leases = leases;
        SocketLimits limits = settings.limits();
        int threads = settings.eventLoops() == 0 ? Runtime.getRuntime().availableProcessors() : settings.eventLoops();
        loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("loop"), settings.transport().ioHandlers());
        acceptor = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("accept"), settings.transport().ioHandlers());
        watch = new LoopWatch(acceptor, loops);
        buckets = new Buckets(loops, settings.transport(), limits, leases, news, refused);
        arrivals = new Arrivals(buckets, routing, limits.maxClients(), news, counts, refused);
        guards = new Guards(limits, loops, refused, settings.tls().ready());
        try {
            buckets.add(specs);
            for (ListenAddress listener : settings.listeners()) {
                listeners.put(listener.name(), listen(listener));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Listener listen(ListenAddress listener) throws IOException {
        return Listener.bind(
                listener.address(),
                acceptor,
                loops,
                settings.transport(),
                settings.reusePort(),
                settings.tls().counting(counts),
                settings.loginTimeout(),
                settings.limits(),
                guards,
                listener.name(),
                listener.rules(),
                buckets::grantMars,
                client -> arrivals.arrived(client, listener.name()));
    }

    /** Starts a proxy without a fleet: nothing else counts against its buckets' limits. */
    public static Proxy start(Settings settings, List<BucketSpec> buckets, Routing routing) throws IOException {
        return start(settings, buckets, routing, LeaseSource.LOCAL);
    }

    /**
     * Starts a proxy. It listens when the warm-up has ended: the first connections of buckets whose account is known are
     * open, or the time for that has expired.
     *
     * @param leases where the buckets' slots come from; closed with the proxy
     */
    public static Proxy start(Settings settings, List<BucketSpec> buckets, Routing routing, LeaseSource leases)
            throws IOException {
        return start(settings, buckets, routing, leases, News.NONE);
    }

    /** @param news receives what happens, on event loops */
    public static Proxy start(
            Settings settings, List<BucketSpec> buckets, Routing routing, LeaseSource leases, News news)
            throws IOException {
        return new Proxy(settings, buckets, routing, leases, news);
    }

    /** Opens the console: serves administrators on the same listeners. */
    public void openConsole(ConsoleAccess access) {
        arrivals.openConsole(access);
    }

    /** The transport of its sockets. */
    public Transport transport() {
        return settings.transport();
    }

    /** The counters of clients that belong to no bucket. Any thread. */
    public EntryCounts entryCounts() {
        return counts;
    }

    /** Watches whether its event loops respond. */
    public LoopWatch watch() {
        return watch;
    }

    /** How many connections of clients were refused, by reason. Any thread. */
    public SortedMap<String, Long> refusedConnections() {
        return refused.counts();
    }

    /** The port of the first listener. */
    public int port() {
        return listeners.firstEntry().getValue().port();
    }

    /** The port that the listener is bound to; the kernel chose it if 0 was configured. */
    public int port(String listener) {
        Listener bound = listeners.get(listener);
        if (bound == null) {
            throw new IllegalArgumentException("no listener is called " + listener);
        }
        return bound.port();
    }

    /** The ids of the buckets that clients can be sent to. */
    public Set<String> buckets() {
        return buckets.ids();
    }

    /** See {@link Buckets#add}. Not for event loops, as {@link #reconfigure} and {@link #remove}; one thread at a time. */
    public void add(Collection<BucketSpec> specs) {
        buckets.add(specs);
    }

    /** See {@link Buckets#reconfigure}. */
    public void reconfigure(BucketSpec spec) {
        buckets.reconfigure(spec);
    }

    /** See {@link Buckets#remove}. */
    public boolean remove(String id, Duration atMost) throws InterruptedException {
        return buckets.remove(id, atMost);
    }

    /**
     * Gives no client of the bucket a server connection, until {@link #resume}. Any thread, as {@code resume} and {@link
     * #reconnect}.
     *
     * @return completes with true when no client has one any more, or with false if the bucket was resumed or removed
     * @throws IllegalArgumentException if there is no such bucket
     */
    public CompletableFuture<Boolean> pause(String bucket) {
        return buckets.steering(bucket).pause();
    }

    /**
     * Resumes a paused bucket: its waiting requests are served in their order.
     *
     * @return whether it was paused
     * @throws IllegalArgumentException if there is no such bucket
     */
    public CompletableFuture<Boolean> resume(String bucket) {
        return buckets.steering(bucket).resume();
    }

    /**
     * Replaces the server connections that the bucket has now: idle ones at once, others when their clients release them.
     *
     * @return the number of connections to be replaced
     * @throws IllegalArgumentException if there is no such bucket
     */
    public CompletableFuture<Integer> reconnect(String bucket) {
        return buckets.steering(bucket).reconnect();
    }

    /**
     * Closes a client, whatever it does: its transaction is rolled back, and its place in the queue given up. If it waits for
     * a response and has received no part of it, it gets an error. Any thread.
     *
     * @param client its number in {@link #clients}
     * @return whether there was such a client
     */
    public CompletableFuture<Boolean> kill(long client) {
        return buckets.kill(client);
    }

    /** The number of each client that is logged in or waits for a dedicated connection, with its bucket. Any thread. */
    public CompletableFuture<SortedMap<Long, String>> clients() {
        return buckets.clients();
    }

    /** See {@link Buckets#glance}. */
    public Glance glance(String bucket) {
        return buckets.glance(bucket);
    }

    /** See {@link Buckets#glances}. */
    public Map<String, Glance> glances(Duration atMost) {
        return buckets.glances(atMost);
    }

    /** See {@link Buckets#details}. */
    public Map<String, BucketDetail> details(Duration atMost) {
        return buckets.details(atMost);
    }

    /** See {@link Buckets#detail}. */
    public Optional<BucketDetail> detail(String bucket, Duration atMost) {
        return buckets.detail(bucket, atMost);
    }

    /**
     * Accepts no more clients and drains those that are connected: they may end their logins, requests and transactions, and
     * are then closed. Returns when all are closed or the time has expired. {@link #close} follows.
     *
     * @return whether all clients were closed in time
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        if (listeners.values().stream().anyMatch(Listener::isShared)) {
            listeners.values().forEach(Listener::handOver);
            TimeUnit.NANOSECONDS.sleep(Math.min(HAND_OVER.toNanos(), atMost.toNanos() / SHARE));
        }
        listeners.values().forEach(Listener::close);
        awaitLogins(Math.min(LOGINS.toNanos(), atMost.toNanos() / SHARE));
        arrivals.close(STOPS);
        return buckets.drain(STOPS, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    /** Waits for pending logins: the driver of an accepted client would report a refusal as a failure. */
    private void awaitLogins(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        while (isLoginUnderWay() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(LOGINS_POLL_MILLIS);
        }
    }

    private boolean isLoginUnderWay() {
        return listeners.values().stream().anyMatch(listener -> listener.pendingLogins() > 0)
                || arrivals.clients()
                        > glances(LOGINS).values().stream()
                                .mapToInt(Glance::clients)
                                .sum();
    }

    /**
     * Stops at once: closes all clients, whose transactions the servers roll back. Slots are returned when the servers have
     * closed the connections, which is waited for briefly.
     */
    @Override
    public void close() {
        watch.close();
        listeners.values().forEach(Listener::close);
        if (!loops.isShuttingDown()) {
            buckets.stop(STOPS);
            leases.close();
        }
        Future<?> accepting = acceptor.shutdownGracefully(0, 5, TimeUnit.SECONDS);
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        accepting.syncUninterruptibly();
    }
}
