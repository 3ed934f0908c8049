package dev.comporta.proxy.loop;

import dev.comporta.pool.state.Refusal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.IntSupplier;

/**
 * Limits how many logins of one client address the server checks at the same time, or may check next: the bucket's lane of such
 * logins has a limit and is served in order of arrival, so a flood from one address would delay all others, and have them
 * refused. Further logins of an address wait here for their turn. Confined to the bucket's loop.
 */
public final class CheckTurns {
    /** The checks of one address: a small part of the lane, and soon done when each takes some milliseconds. */
    static final int MOST_OF_ADDRESS = 64;
    /** Limit of the checks that wait here, of all addresses. Each holds its client's connection and its LOGIN7. */
    static final int MOST_WAITING = 1000;

    /** A login that the server has to check. Calls {@link CheckTurns#end} when it has ended. */
    interface Check {
        /** Requests the server connection that it needs. */
        void begin();

        /** It was not begun, and will not be. */
        void refused(Refusal why);
    }

    /** The checks of an address. */
    private static final class Crowd {
        /** Those that wait, each with the time it came at; the oldest first. */
        final SequencedMap<Check, Long> waiting = new LinkedHashMap<>();

        int underWay;
        boolean beginning;
    }

    private final IntSupplier share;
    private final Map<InetAddress, Crowd> crowds = new HashMap<>();
    /** The address of each check, whether it waits or is under way. */
    private final Map<Check, InetAddress> addresses = new HashMap<>();

    private int waiting;

    /** @param share how many checks of all addresses together the bucket may run now: one address may always have as many */
    CheckTurns(IntSupplier share) {
        this.share = share;
    }

    /** Begins the check, now or when its turn comes; or refuses it, if too many wait already. */
    public void take(Check check, InetAddress address, long now) {
        Crowd crowd = crowds.computeIfAbsent(address, _ -> new Crowd());
        if (crowd.underWay >= most() && waiting >= MOST_WAITING && !makeRoom(address)) {
            check.refused(Refusal.QUEUE_FULL);
            return;
        }
        addresses.put(check, address);
        crowd.waiting.put(check, now);
        waiting++;
        beginNext(crowd, address);
    }

    private int most() {
        return Math.max(MOST_OF_ADDRESS, share.getAsInt());
    }

    private boolean makeRoom(InetAddress address) {
        Crowd crowd = Crowding.makesRoom(crowds, address, each -> each.waiting.size());
        if (crowd == null) {
            return false;
        }
        notBegun(crowd.waiting.pollLastEntry().getKey(), Refusal.QUEUE_FULL);
        return true;
    }

    private void notBegun(Check check, Refusal why) {
        waiting--;
        addresses.remove(check);
        check.refused(why);
    }

    /** The check has ended, or its client has left while it waited. Does nothing the second time. */
    public void end(Check check) {
        InetAddress address = addresses.remove(check);
        Crowd crowd = address == null ? null : crowds.get(address);
        if (address == null || crowd == null) {
            return;
        }
        if (crowd.waiting.remove(check) != null) {
            waiting--;
        } else {
            crowd.underWay--;
        }
        beginNext(crowd, address);
    }

    /** Not re-entrant: a check that begins may be refused, and so end, within the call; the loop then begins the next. */
    private void beginNext(Crowd crowd, InetAddress address) {
        if (crowd.beginning) {
            return;
        }
        crowd.beginning = true;
        try {
            while (crowd.underWay < most() && !crowd.waiting.isEmpty()) {
                Check next = crowd.waiting.pollFirstEntry().getKey();
                waiting--;
                crowd.underWay++;
                next.begin();
            }
        } finally {
            crowd.beginning = false;
        }
        if (crowd.underWay == 0) {
            crowds.remove(address);
        }
    }

    /**
     * Refuses the checks that have waited here for too long. Called periodically.
     *
     * @param patience in nanoseconds
     */
    void sweep(long patience, long now) {
        List<Check> late = new ArrayList<>();
        for (Crowd crowd : crowds.values()) {
            while (!crowd.waiting.isEmpty() && now - crowd.waiting.firstEntry().getValue() >= patience) {
                late.add(crowd.waiting.pollFirstEntry().getKey());
            }
        }
        late.forEach(check -> notBegun(check, Refusal.QUEUE_TIMEOUT));
    }

    /** How many wait for their turn. */
    int waiting() {
        return waiting;
    }
}
