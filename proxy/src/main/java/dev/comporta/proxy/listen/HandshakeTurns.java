package dev.comporta.proxy.listen;

import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds the TLS handshakes that are under way on one loop. Each takes about a millisecond of it: if all began as they
 * come, clients that are logged in would wait for a millisecond per new connection. The addresses that wait take turns, so
 * that a flood from one delays the others little. None begins before {@link #open}. Confined to its loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of what is scheduled: it can fail only with its loop
final class HandshakeTurns {
    /** A peer that has been silent for so long loses its turn where others wait; its handshake may go on. */
    static final long STALLED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A handshake: wanted, under way, or over. */
    static final class Turn {
        private final InetAddress address;
        private final Runnable begin;
        private long began;

        Turn(InetAddress address, Runnable begin) {
            this.address = address;
            this.begin = begin;
        }
    }

    private final EventExecutor loop;
    private final LongSupplier clock;
    private final int most;
    /** The longest under way first. */
    private final SequencedSet<Turn> underWay = new LinkedHashSet<>();
    /** By address; the one whose turn is next first. */
    private final SequencedMap<InetAddress, Deque<Turn>> waiting = new LinkedHashMap<>();

    private boolean open;
    private boolean watching;

    /**
     * @param clock in nanoseconds
     * @param most 0 for any number
     */
    HandshakeTurns(EventExecutor loop, LongSupplier clock, int most) {
        this.loop = loop;
        this.clock = clock;
        this.most = most == 0 ? Integer.MAX_VALUE : most;
    }

    /** From now on handshakes begin: there is a certificate for them. */
    void open() {
        open = true;
        beginNext();
        watch();
    }

    /**
     * Has the handshake begin, now or when its turn comes.
     *
     * @return whether it has begun
     */
    boolean take(Turn turn) {
        if (open && waiting.isEmpty() && underWay.size() < most) {
            begin(turn);
            return true;
        }
        waiting.computeIfAbsent(turn.address, _ -> new ArrayDeque<>()).add(turn);
        watch();
        return false;
    }

    private void begin(Turn turn) {
        turn.began = clock.getAsLong();
        underWay.add(turn);
        turn.begin.run();
    }

    /** The handshake is over, or its connection is. Does nothing the second time. */
    void end(Turn turn) {
        if (!underWay.remove(turn)) {
            Deque<Turn> neighbours = waiting.get(turn.address);
            if (neighbours != null && neighbours.remove(turn) && neighbours.isEmpty()) {
                waiting.remove(turn.address);
            }
        }
        beginNext();
    }

    private void beginNext() {
        while (open && underWay.size() < most && !waiting.isEmpty()) {
            Map.Entry<InetAddress, Deque<Turn>> next = waiting.pollFirstEntry();
            Turn turn = next.getValue().remove();
            if (!next.getValue().isEmpty()) {
                waiting.putLast(next.getKey(), next.getValue());
            }
            begin(turn);
        }
    }

    /** Sees to it that peers which say nothing don't keep others out. */
    private void watch() {
        if (watching || waiting.isEmpty() || underWay.isEmpty()) {
            return;
        }
        watching = true;
        long left = underWay.getFirst().began + STALLED_NANOS - clock.getAsLong();
        loop.schedule(this::passOver, Math.max(left, 0), TimeUnit.NANOSECONDS);
    }

    private void passOver() {
        watching = false;
        long now = clock.getAsLong();
        while (!waiting.isEmpty() && !underWay.isEmpty() && now - underWay.getFirst().began >= STALLED_NANOS) {
            underWay.removeFirst();
            beginNext();
        }
        watch();
    }

    int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }
}
