package dev.comporta.e2e.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What is done to a fleet, to whom and when: all of it drawn beforehand, so that one seed always makes the same. */
record FaultSchedule(List<Round> rounds) {
    /** The number in place of an instance's where Redis itself is struck. */
    static final int REDIS = -1;

    private static final int INSTANCES = 3;

    enum Fault {
        KILL,
        STOP_IN_ORDER,
        FREEZE,
        CUT,
        SILENCE,
        FORGET,
        RESTART_REDIS,
        FREEZE_REDIS;

        boolean strikesRedis() {
            return this == RESTART_REDIS || this == FREEZE_REDIS;
        }
    }

    /** @param begins and {@code ends}, counted from the round's beginning */
    record Strike(Fault fault, int victim, Duration begins, Duration ends) {}

    /** One or two faults at the same time; after them everything is mended. */
    record Round(List<Strike> strikes) {
        /** A fault that begins or ends. */
        record Step(Strike strike, boolean begins) {
            Duration at() {
                return begins ? strike.begins() : strike.ends();
            }
        }

        List<Step> steps() {
            return strikes.stream()
                    .flatMap(strike -> List.of(new Step(strike, true), new Step(strike, false)).stream())
                    .sorted(Comparator.comparing(Step::at))
                    .toList();
        }
    }

    static FaultSchedule of(Random chance, int rounds) {
        return new FaultSchedule(
                IntStream.range(0, rounds).mapToObj(_ -> round(chance)).toList());
    }

    /** Faults last from next to nothing to well beyond a time to live. */
    private static Round round(Random chance) {
        List<Strike> strikes = new ArrayList<>();
        int count = 1 + chance.nextInt(2);
        long longest = FleetOfProcesses.TTL.toMillis() * 2;
        while (strikes.size() < count) {
            Fault fault = Fault.values()[chance.nextInt(Fault.values().length)];
            int victim = fault.strikesRedis() ? REDIS : chance.nextInt(INSTANCES);
            Duration begins = Duration.ofMillis(chance.nextInt(1000));
            Duration ends = begins.plusMillis(chance.nextLong(longest));
            if (strikes.stream().noneMatch(other -> other.victim == victim)) {
                strikes.add(new Strike(fault, victim, begins, ends));
            }
        }
        return new Round(List.copyOf(strikes));
    }
}
