package dev.comporta.bench.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A server for the stub driver: each connect takes some time, and is recorded. Any thread. */
final class StubServer {
    /** Used by URLs without a name: connects cost nothing and are not counted. */
    static final StubServer NOTHING = new StubServer("", Duration.ZERO);

    private static final Map<String, StubServer> BY_NAME = new ConcurrentHashMap<>();

    private final String name;
    private final Duration connectTime;
    private final Set<StubConnection> open = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Long> connects = new ConcurrentLinkedQueue<>();
    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile boolean refuses;

    private StubServer(String name, Duration connectTime) {
        this.name = name;
        this.connectTime = connectTime;
    }

    static StubServer start(String name, Duration connectTime) {
        StubServer server = new StubServer(name, connectTime);
        BY_NAME.put(name, server);
        return server;
    }

    static StubServer named(String name) {
        return BY_NAME.getOrDefault(name, NOTHING);
    }

    String url() {
        return StubDriver.PREFIX + name;
    }

    StubConnection connect() throws SQLException {
        if (connectTime.isZero()) {
            return StubConnection.to(this);
        }
        connects.add(System.nanoTime());
        if (refuses) {
            throw new SQLTransientConnectionException("connection refused", "08001");
        }
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            Thread.sleep(connectTime);
        } catch (InterruptedException e) {
            now.decrementAndGet();
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted", "08001", e);
        }
        StubConnection connection = StubConnection.to(this);
        open.add(connection);
        return connection;
    }

    void closed(StubConnection connection) {
        if (open.remove(connection)) {
            now.decrementAndGet();
        }
    }

    /** Ends all connections, and refuses new ones until {@link #comeBack}. */
    void goDown() {
        refuses = true;
        for (StubConnection connection : open) {
            connection.die();
            closed(connection);
        }
    }

    void comeBack() {
        refuses = false;
    }

    int mostOpen() {
        return most.get();
    }

    int openNow() {
        return now.get();
    }

    /** The {@link System#nanoTime} of each attempt to connect, in order. */
    List<Long> connects() {
        List<Long> times = new ArrayList<>(connects);
        Collections.sort(times);
        return times;
    }
}
