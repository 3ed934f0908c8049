package dev.comporta.proxy.admit;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Delays logins after recent failures of the same user or address, the longer the more there were. This slows down guessing
 * and saves the server its cost. Confined to the bucket's loop.
 */
final class LoginDelays {
    /** The delay after one failure, doubled with each further one. Hardly noticed after a mistyped password. */
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** The longest delay, well below the 15 s that drivers give a login. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(4);
    /** One failure, and so one doubling, expires in each of these intervals: after half a minute there is no delay. */
    static final long FORGIVEN_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Failures of one address that cause no delay: many clients may connect through one host. */
    static final int FREE_OF_ADDRESS = 8;
    /** The number of failures that reach the longest delay: a higher count would only take longer to expire. */
    private static final int MOST_COUNTED = 5;
    /** Limit of the users kept, and of the addresses. The one that failed least recently is evicted. */
    static final int MOST_REMEMBERED = 1024;

    private final Map<Integer, Failures> ofUsers = new Remembered();
    private final Map<Integer, Failures> ofAddresses = new Remembered();

    /** Keyed by hash, so that guessed names are not kept. Two names with the same hash share a delay of seconds at most. */
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

    /** The delay of this login, in nanoseconds. */
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

    /** Records a failed login whose user name only the server can read. */
    void failedFrom(Object address, long now) {
        count(ofAddresses, address.hashCode(), FREE_OF_ADDRESS + MOST_COUNTED, now);
    }

    /** Clears the failures of the user, not of the address: whoever has one valid login could guess others without delay. */
    void accepted(String user) {
        ofUsers.remove(key(user));
    }

    private static void count(Map<Integer, Failures> failures, int key, int most, long now) {
        Failures before = failures.remove(key); // re-inserted below as the latest
        int left = before == null ? 0 : before.left(now);
        failures.put(key, new Failures(Math.min(most, left + 1), now));
    }

    /** User names ignore case, as by default in SQL Server. */
    private static int key(String user) {
        return user.toLowerCase(Locale.ROOT).hashCode();
    }
}
