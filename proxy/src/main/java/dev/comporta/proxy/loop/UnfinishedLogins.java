package dev.comporta.proxy.loop;

import java.net.InetAddress;
import java.util.ArrayDeque;
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
 * Limits the logins that take several messages, Windows and Entra: each has a server connection before the server has accepted
 * it, and keeps it while the client answers. Anyone who can connect may begin such logins and not continue them: without a limit
 * they would take all connections of the bucket from logged-in clients. Waiting addresses take turns, and a client that does not
 * answer is closed for the next, so that a flood from one address hardly delays the others. Confined to the bucket's loop.
 */
final class UnfinishedLogins<C> {
    /** A driver answers within a round trip, or when it has fetched a token. Applies only where others wait. */
    static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Limit of waiting logins, the same as with passwords. Each holds a client's connection and its LOGIN7. */
    static final int MOST_WAITING = 1000;

    /**
     * Receives the results. For each login at most one of {@link #timedOut}, {@link #crowdedOut} and {@link #stalled} is called.
     */
    interface Turns<C> {
        /** Requests the client's server connection. */
        void begin(C client);

        /** The client has waited for its turn for too long. */
        void timedOut(C client);

        /** The client waited for its turn, and its place is needed for an address with fewer waiting logins. */
        void crowdedOut(C client);

        /** How long the server has waited for the client's next login message; 0 while it does not wait. */
        long silence(C client, long now);

        /** The client has not continued its login, and others wait for its connection. */
        void stalled(C client);
    }

    private record Turn<T>(T client, InetAddress address, long enteredAt) {}

    private final IntSupplier most;
    private final Turns<C> turns;
    /** Logins that have begun, the oldest first. */
    private final SequencedSet<C> underWay = new LinkedHashSet<>();

    private final Map<C, Turn<C>> waiting = new LinkedHashMap<>();
    /** Waiting logins by address; the address whose turn is next comes first. */
    private final SequencedMap<InetAddress, Deque<Turn<C>>> crowds = new LinkedHashMap<>();

    private boolean beginning;

    /** @param most the number of logins that may be under way now */
    UnfinishedLogins(IntSupplier most, Turns<C> turns) {
        this.most = most;
        this.turns = turns;
    }

    /**
     * Begins the login, now or when its turn comes.
     *
     * @return false if too many wait already; this one must be refused
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

    private boolean makeRoom(InetAddress address) {
        Deque<Turn<C>> crowd = Crowding.makesRoom(crowds, address, Deque::size);
        if (crowd == null) {
            return false;
        }
        C last = crowd.getLast().client;
        end(last);
        turns.crowdedOut(last);
        return true;
    }

    /** Ends a login: the server has accepted or rejected it, or the client has disconnected. Does nothing the second time. */
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

    /** Not re-entrant: a login that begins may be refused, and so end, within the call; the loop then begins the next. */
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
     * Checks the timeouts. Called periodically.
     *
     * @param patience timeout of the wait for a turn, in nanoseconds
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

    /** The stalled logins to end: at most as many as exceed the limit now, or as clients wait, whichever is more. */
    private List<C> stalled(long now) {
        int wanted = Math.max(waiting.size(), underWay.size() - most.getAsInt());
        return underWay.stream()
                .filter(client -> turns.silence(client, now) >= STALLED_NANOS)
                .limit(wanted)
                .toList();
    }
}
