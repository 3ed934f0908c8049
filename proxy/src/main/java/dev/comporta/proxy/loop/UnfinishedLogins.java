package dev.comporta.proxy.loop;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Bounds the logins that take several messages, Windows and Entra: each has a server connection before the server knows
 * who it is, and keeps it until its client answers. Anyone who can connect may begin such logins and not go on with them:
 * unbounded, they would take all connections of the bucket from clients that are logged in. Addresses that wait take
 * turns, and a client that does not answer makes room for the next, so that a flood from one address delays the others
 * little. Confined to the bucket's loop.
 */
final class UnfinishedLogins<C> {
    /** A driver answers within a round trip, or when it has fetched a token. Counted only where others wait. */
    static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** As many as may wait with passwords. Each holds a client's connection and its LOGIN7. */
    static final int MOST_WAITING = 1000;

    /** What becomes of them. Each is told at most one of {@link #timedOut}, {@link #crowdedOut} and {@link #stalled}. */
    interface Turns<C> {
        /** The client is to get its server connection. */
        void begin(C client);

        /** The client has waited for its turn for too long. */
        void timedOut(C client);

        /** The client waited for its turn, and its place is needed for an address of which fewer wait. */
        void crowdedOut(C client);

        /** For how long the server has waited for the client to go on with its login; 0 while it does not. */
        long silence(C client, long now);

        /** The client has not gone on with its login, and others wait for its connection. */
        void stalled(C client);
    }

    private record Turn<T>(T client, InetAddress address, long enteredAt) {}

    private final IntSupplier most;
    private final Turns<C> turns;
    /** The longest under way first. */
    private final SequencedSet<C> underWay = new LinkedHashSet<>();

    private final Map<C, Turn<C>> waiting = new LinkedHashMap<>();
    /** Those who wait, by address; the one whose turn is next first. */
    private final SequencedMap<InetAddress, Deque<Turn<C>>> crowds = new LinkedHashMap<>();

    private boolean beginning;

    /** @param most how many may be under way now */
    UnfinishedLogins(IntSupplier most, Turns<C> turns) {
        this.most = most;
        this.turns = turns;
    }

    /**
     * Has the login begin, now or when its turn comes.
     *
     * @return false if too many wait already: then it is to be refused
     */
    boolean take(C client, InetAddress address, long now) {
        if (waiting.size() >= MOST_WAITING && !makeRoom(address)) {
            return false;
        }
        Turn<C> turn = new Turn<>(client, address, now);
        waiting.put(client, turn);
        crowds.computeIfAbsent(address, _ -> new ArrayDeque<>()).add(turn);
        beginNext();
        return true;
    }

    /** One address must not take all places: of the one of which most wait, the last goes. */
    private boolean makeRoom(InetAddress address) {
        Deque<Turn<C>> largest = Collections.max(crowds.values(), Comparator.comparingInt(Deque::size));
        Deque<Turn<C>> own = crowds.get(address);
        if (largest.size() <= 1 + (own == null ? 0 : own.size())) {
            return false;
        }
        C last = largest.getLast().client;
        end(last);
        turns.crowdedOut(last);
        return true;
    }

    /** The server has judged the login, or the client is gone. Does nothing the second time. */
    void end(C client) {
        Turn<C> turn = waiting.remove(client);
        if (turn != null) {
            Deque<Turn<C>> crowd = crowds.get(turn.address);
            if (crowd != null && crowd.remove(turn) && crowd.isEmpty()) {
                crowds.remove(turn.address);
            }
        } else if (underWay.remove(client)) {
            beginNext();
        }
    }

    /** Those who begin may be refused at once, and so end: the next are begun by the loop, not on its stack. */
    private void beginNext() {
        if (beginning) {
            return;
        }
        beginning = true;
        try {
            while (!crowds.isEmpty() && underWay.size() < most.getAsInt()) {
                Map.Entry<InetAddress, Deque<Turn<C>>> next = crowds.pollFirstEntry();
                Turn<C> turn = next.getValue().remove();
                if (!next.getValue().isEmpty()) {
                    crowds.putLast(next.getKey(), next.getValue());
                }
                waiting.remove(turn.client);
                underWay.add(turn.client);
                turns.begin(turn.client);
            }
        } finally {
            beginning = false;
        }
    }

    /**
     * To be called now and then.
     *
     * @param patience how long a client waits for its turn, in nanoseconds
     */
    void check(long patience, long now) {
        for (C late : late(now - patience)) {
            end(late);
            turns.timedOut(late);
        }
        for (C stalled : stalled(now)) {
            underWay.remove(stalled);
            turns.stalled(stalled);
        }
        beginNext();
    }

    private List<C> late(long enteredBefore) {
        return waiting.values().stream()
                .filter(turn -> turn.enteredAt <= enteredBefore)
                .map(Turn::client)
                .toList();
    }

    /** As many as are too many now, or as there are clients that wait for their turn. */
    private List<C> stalled(long now) {
        int wanted = Math.max(waiting.size(), underWay.size() - most.getAsInt());
        return underWay.stream()
                .filter(client -> turns.silence(client, now) >= STALLED_NANOS)
                .limit(wanted)
                .toList();
    }
}
