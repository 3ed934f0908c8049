package dev.comporta.pool;

import java.util.Arrays;

/**
 * A bucket's settings and what happens to it: one number for the settings, one for each event. An event's number alone
 * says what it is, so that a sequence stays meaningful when events are taken out.
 */
record Sequence(long settings, long[] events) {
    static Sequence of(long seed) {
        Dice dice = new Dice(seed);
        long settings = dice.bits();
        long[] events = new long[10 + dice.below(50)];
        for (int i = 0; i < events.length; i++) {
            events[i] = dice.bits();
        }
        return new Sequence(settings, events);
    }

    /** The shortest sequence found that still fails: takes out ever smaller pieces for as long as that works. */
    Sequence shrink() {
        String kind = kindOf(failure());
        Sequence shortest = this;
        for (int piece = Math.max(1, events.length / 2); piece > 0; piece = piece / 2) {
            int at = 0;
            while (at < shortest.events.length) {
                Sequence without = shortest.without(at, piece);
                if (kind.equals(kindOf(without.failure()))) {
                    shortest = without;
                } else {
                    at += piece;
                }
            }
        }
        return shortest;
    }

    /** A failure without its numbers: shrinking must not wander off to another one. */
    static String kindOf(Throwable failure) {
        return failure == null ? "" : failure.toString().replaceAll("\\d+", "N");
    }

    private Sequence without(int at, int n) {
        int end = Math.min(events.length, at + n);
        long[] rest = Arrays.copyOf(events, events.length - (end - at));
        System.arraycopy(events, end, rest, at, events.length - end);
        return new Sequence(settings, rest);
    }

    /** What is wrong, or null. */
    Throwable failure() {
        World world = new World(settings);
        try {
            world.run(events);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        }
    }

    /** What happens, event by event, up to the failure. */
    String story() {
        World world = new World(settings);
        world.story = new StringBuilder("settings " + settings + ": " + world.bucket.settings() + "\n");
        try {
            world.run(events);
        } catch (AssertionError | RuntimeException e) {
            world.story.append("   !! ").append(e).append('\n');
        }
        return world.story.toString();
    }
}
