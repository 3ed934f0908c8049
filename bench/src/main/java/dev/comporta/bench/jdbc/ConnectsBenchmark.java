package dev.comporta.bench.jdbc;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.RedisEndpoint;
import dev.comporta.lease.redis.RedisLeaseStore;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import redis.embedded.RedisServer;

/**
 * Measures connects per second at the server when twenty instances start at once, when the lifetime of all connections ends,
 * and when the server restarts. Comporta's instances share their limit and their connect rate through leases in Redis; other
 * pools can't share, so each instance has a part of the limit.
 */
final class ConnectsBenchmark {
    private static final int INSTANCES = 20;
    private static final int EACH = 10;
    private static final int RATE = 100;
    private static final int BURST = 10;
    private static final int CLIENTS_EACH = 10;
    private static final Duration CONNECT = Duration.ofMillis(20);
    private static final Duration HOLD = Duration.ofMillis(10);
    /** The shortest lifetime that HikariCP accepts. */
    private static final Duration LIFETIME = Duration.ofSeconds(30);

    private static final Duration RESTART_AT = Duration.ofSeconds(45);
    private static final Duration DOWN = Duration.ofSeconds(3);
    private static final Duration END = Duration.ofSeconds(60);

    private ConnectsBenchmark() {}

    static void run(List<PeerPool> pools) throws Exception {
        System.out.printf(
                "%d instances of %d connections, lifetime %d s, %d clients each; the server is away from second %d to %d%n",
                INSTANCES,
                EACH,
                LIFETIME.toSeconds(),
                CLIENTS_EACH,
                RESTART_AT.toSeconds(),
                RESTART_AT.plus(DOWN).toSeconds());
        List<Plots.Series> lines = new ArrayList<>();
        for (PeerPool pool : pools) {
            lines.add(pool == PeerPool.COMPORTA ? measureWithRedis() : measure(pool, pool::open));
        }
        Plots.lines(
                "jdbc-connects",
                INSTANCES + " instances: connects per second, as the server sees them",
                "seconds since the start",
                lines);
    }

    /** Opens the pool of an instance. */
    private interface Opening {
        DataSource open(PeerPool.Terms terms) throws SQLException;
    }

    private static Plots.Series measureWithRedis() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        RedisServer redis = RedisServer.builder()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
        List<FleetLeases> all = new ArrayList<>();
        try {
            for (int i = 0; i < INSTANCES; i++) {
                LeaseSettings me = new LeaseSettings(
                        "instance-" + i, Duration.ofSeconds(10), Duration.ofSeconds(30), true, INSTANCES);
                all.add(new FleetLeases(me, RedisLeaseStore.connect(me, RedisEndpoint.standalone("127.0.0.1", port))));
            }
            Iterator<FleetLeases> each = all.iterator();
            return measure(PeerPool.COMPORTA, terms -> instance(terms, each));
        } finally {
            all.forEach(FleetLeases::close);
            redis.stop();
        }
    }

    private static ComportaDataSource instance(PeerPool.Terms terms, Iterator<FleetLeases> each) {
        ComportaDataSource made = PeerPool.comporta(terms);
        made.setPoolName("orders");
        made.setMaximumPoolSize(INSTANCES * EACH);
        made.setConnectRate(RATE);
        made.setConnectBurst(BURST);
        synchronized (each) {
            made.setLeaseSource(each.next());
        }
        return made;
    }

    private static Plots.Series measure(PeerPool pool, Opening opening) throws Exception {
        StubServer server = StubServer.start("connects", CONNECT);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong served = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        List<DataSource> sources = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        long begun = System.nanoTime();
        for (int i = 0; i < INSTANCES; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                DataSource source = open(opening, server, sources);
                for (int c = 0; c < CLIENTS_EACH; c++) {
                    Thread.startVirtualThread(() -> borrowUntil(source, ended, served, failed));
                }
            }));
        }
        sleepUntil(begun, RESTART_AT);
        server.goDown();
        sleepUntil(begun, RESTART_AT.plus(DOWN));
        server.comeBack();
        sleepUntil(begun, END);
        ended.set(true);
        List<Long> connects = server.connects();
        int most = server.mostOpen();
        for (Thread thread : threads) {
            thread.join();
        }
        for (DataSource source : sources) {
            PeerPool.close(source);
        }
        report(pool, begun, connects, most, served.get(), failed.get());
        List<Double> perSecond = perSecond(begun, connects);
        System.out.println("  by second: "
                + perSecond.stream().map(n -> "%.0f".formatted(n)).collect(Collectors.joining(" ")));
        return new Plots.Series(pool.title(), perSecond);
    }

    private static DataSource open(Opening opening, StubServer server, List<DataSource> sources) {
        try {
            DataSource made = opening.open(new PeerPool.Terms(server.url(), EACH, EACH, LIFETIME, true));
            synchronized (sources) {
                sources.add(made);
            }
            return made;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sleepUntil(long begun, Duration time) {
        long due = begun + time.toNanos();
        while (System.nanoTime() < due) {
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    private static void borrowUntil(DataSource source, AtomicBoolean ended, AtomicLong served, AtomicLong failed) {
        while (!ended.get()) {
            try (Connection connection = source.getConnection();
                    PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
                statement.executeQuery().close();
                Thread.sleep(HOLD);
                served.incrementAndGet();
            } catch (SQLException _) {
                failed.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // before the client's next attempt
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private static void report(PeerPool pool, long begun, List<Long> connects, int mostOpen, long served, long failed) {
        System.out.printf(
                "%-12s most connects within any second: %4d at the start, %4d as lifetimes end, %4d around the restart;"
                        + " all open after %.1f s, most open %d; %d connects, %d loans, %d failed%n",
                pool.title(),
                mostPerSecond(begun, connects, Duration.ZERO, Duration.ofSeconds(15)),
                mostPerSecond(begun, connects, Duration.ofSeconds(15), RESTART_AT),
                mostPerSecond(begun, connects, RESTART_AT, END),
                connects.size() < INSTANCES * EACH ? -1 : (connects.get(INSTANCES * EACH - 1) - begun) / 1e9,
                mostOpen,
                connects.size(),
                served,
                failed);
    }

    /** The most in any window of one second that begins between these times. */
    private static int mostPerSecond(long begun, List<Long> connects, Duration from, Duration to) {
        int most = 0;
        int last = 0;
        for (int first = 0; first < connects.size(); first++) {
            long at = connects.get(first);
            while (last < connects.size() && connects.get(last) - at < TimeUnit.SECONDS.toNanos(1)) {
                last++;
            }
            if (at - begun >= from.toNanos() && at - begun < to.toNanos()) {
                most = Math.max(most, last - first);
            }
        }
        return most;
    }

    private static List<Double> perSecond(long begun, List<Long> connects) {
        double[] counts = new double[(int) END.toSeconds() + 1];
        for (long at : connects) {
            counts[(int) Math.min(END.toSeconds(), TimeUnit.NANOSECONDS.toSeconds(at - begun))]++;
        }
        return Arrays.stream(counts).boxed().toList();
    }
}
