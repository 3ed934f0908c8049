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
 * Limits the concurrent TLS handshakes on one loop. Each takes about a millisecond of its time: if all began as they come,
 * logged-in clients would wait a millisecond per new connection. Waiting addresses take turns, so that a flood from one
 * hardly delays the others. None begins before {@link #open}. Confined to its loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of scheduled tasks, which fail only if the loop does
final class HandshakeTurns {
    /** A handshake that takes longer no longer counts while others wait; it may still complete. */
    static final long STALLED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A handshake that waits, runs, or has ended. */
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
    /** The oldest first. */
    private final SequencedSet<Turn> underWay = new LinkedHashSet<>();
    /** Waiting handshakes by address; the address whose turn is next comes first. */
    private final SequencedMap<InetAddress, Deque<Turn>> waiting = new LinkedHashMap<>();

    private boolean open;
    private boolean watching;

    /**
     * @param clock a clock in nanoseconds
     * @param most the limit; 0 for none
     */
    HandshakeTurns(EventExecutor loop, LongSupplier clock, int most) {
        this.loop = loop;
        this.clock = clock;
        this.most = most == 0 ? Integer.MAX_VALUE : most;
    }

    /** Lets handshakes begin: there is a certificate for them. */
    void open() {
        open = true;
        beginNext();
        watch();
    }

    /**
     * Begins the handshake, now or when its turn comes.
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

    /** Ends the turn: the handshake has ended, or its connection. Does nothing the second time. */
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

    /** Keeps stalled handshakes from blocking others. */
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
