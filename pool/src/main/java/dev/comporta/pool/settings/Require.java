package dev.comporta.pool.settings;

import java.time.Duration;

/** Checks settings, with one form of error text: the key, its value, the values it may have. */
final class Require {
    /** Deadlines are sums of nanoseconds in a long: a year leaves room for all of them. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private Require() {}

    static int atLeast(String key, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + ": set it to " + least + " or more");
        }
        return value;
    }

    static Duration positive(String key, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(key + " is " + value + ": set a duration longer than 0");
        }
        return notTooLong(key, value);
    }

    static Duration notNegative(String key, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(key + " is " + value + ": set 0 or a longer duration");
        }
        return notTooLong(key, value);
    }

    private static Duration notTooLong(String key, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(key + " is " + value + ": set at most " + LONGEST.toDays() + " days");
        }
        return value;
    }

    static void that(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
