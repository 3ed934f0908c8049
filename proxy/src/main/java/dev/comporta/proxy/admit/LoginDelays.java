package dev.comporta.proxy.admit;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long a login is delayed before it is judged: the longer, the more often the same user, or the same address,
 * has failed lately. So guessing is slow, and costs the server little. Confined to the bucket's loop.
 */
final class LoginDelays {
    /** Doubled with each failure. Short enough for somebody who has mistyped a password not to mind. */
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** Well below the 15 s that drivers give a login. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(4);
    /** One failure is forgotten in this time, and so one doubling: within half a minute nobody waits any more. */
    static final long FORGIVEN_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Failures of one address that are not held against it: many clients may come by way of one host. */
    static final int FREE_OF_ADDRESS = 8;
    /** As many failures as it takes to reach the longest delay: further ones would only take longer to forget. */
    private static final int MOST_COUNTED = 5;
    /** Users and addresses, each. The one whose failure is the longest ago makes room. */
    static final int MOST_REMEMBERED = 1024;
    /** Each holds a client's connection and its LOGIN7. */
    static final int MOST_DELAYED = 1024;

    private final Map<Integer, Failures> ofUsers = new Remembered();
    private final Map<Integer, Failures> ofAddresses = new Remembered();
    private int delayed;

    /** By hash, so that guessed names are not kept. Two names with the same hash share a delay, which is seconds at most. */
    private static final class Remembered extends LinkedHashMap<Integer, Failures> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Failures> eldest) {
            return size() > MOST_REMEMBERED;
        }
    }

    private record Failures(int count, long at) {
        static final Failures NONE = new Failures(0, 0);

        int left(long now) {
            return (int) Math.max(0, count - (now - at) / FORGIVEN_NANOS);
        }
    }

    /** How long this login waits, in nanoseconds. */
    long of(String user, Object address, long now) {
        int byUser = ofUsers.getOrDefault(key(user), Failures.NONE).left(now);
        int byAddress =
                ofAddresses.getOrDefault(address.hashCode(), Failures.NONE).left(now) - FREE_OF_ADDRESS;
        int failures = Math.max(byUser, byAddress);
        return failures <= 0 ? 0 : Math.min(LONGEST_NANOS, FIRST_NANOS << (failures - 1));
    }

    void failed(String user, Object address, long now) {
        count(ofUsers, key(user), MOST_COUNTED, now);
        failedFrom(address, now);
    }

    /** Of somebody whose name only the server could read. */
    void failedFrom(Object address, long now) {
        count(ofAddresses, address.hashCode(), FREE_OF_ADDRESS + MOST_COUNTED, now);
    }

    /** The address is not forgiven: somebody who has one good login could guess others for as long as they like. */
    void accepted(String user) {
        ofUsers.remove(key(user));
    }

    /** @return false if too many are waiting already: then this one is to be refused */
    boolean begin() {
        if (delayed >= MOST_DELAYED) {
            return false;
        }
        delayed++;
        return true;
    }

    void end() {
        delayed--;
    }

    private static void count(Map<Integer, Failures> failures, int key, int most, long now) {
        Failures before = failures.remove(key); // to be put in again as the latest
        int left = before == null ? 0 : before.left(now);
        failures.put(key, new Failures(Math.min(most, left + 1), now));
    }

    /** As SQL Server has them by default, in whatever case. */
    private static int key(String user) {
        return user.toLowerCase(Locale.ROOT).hashCode();
    }
}
