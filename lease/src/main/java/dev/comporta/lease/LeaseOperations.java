package dev.comporta.lease;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was asked of Redis and what came of it. Any thread. */
public final class LeaseOperations {
    /** Why Redis was called. A call may serve several purposes: the first that fits is counted. */
    public enum Operation {
        REGISTER,
        ACQUIRE,
        RELEASE,
        HEARTBEAT,
        CONNECTS,
        LEAVE
    }

    /** What came of it. */
    public enum Outcome {
        OK,
        /** The store did not know this instance, or knew a newer one of its name. */
        REFUSED,
        /** Not answered, or with an error. */
        FAILED
    }

    private final Map<Operation, Map<Outcome, LongAdder>> counts = new EnumMap<>(Operation.class);

    LeaseOperations() {
        for (Operation operation : Operation.values()) {
            Map<Outcome, LongAdder> of = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                of.put(outcome, new LongAdder());
            }
            counts.put(operation, of);
        }
    }

    @SuppressWarnings("NullAway") // every pair was put in by the constructor
    private LongAdder adder(Operation operation, Outcome outcome) {
        return counts.get(operation).get(outcome);
    }

    void count(Operation operation, Outcome outcome) {
        adder(operation, outcome).increment();
    }

    public long of(Operation operation, Outcome outcome) {
        return adder(operation, outcome).sum();
    }

    /** All calls so far. */
    public long total() {
        return counts.values().stream()
                .flatMap(of -> of.values().stream())
                .mapToLong(LongAdder::sum)
                .sum();
    }
}
