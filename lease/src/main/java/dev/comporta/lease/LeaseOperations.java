package dev.comporta.lease;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts calls to the store by purpose and outcome. Any thread. */
public final class LeaseOperations {
    /** The purpose of a call. If a call has several, the first that fits is counted. */
    public enum Operation {
        REGISTER,
        ACQUIRE,
        RELEASE,
        HEARTBEAT,
        CONNECTS,
        LEAVE
    }

    /** The outcome of a call. */
    public enum Outcome {
        OK,
        /** The store did not know this instance, or knew a newer one of its name. */
        REFUSED,
        /** Not answered, or with an error. */
        FAILED
    }

    private final Map<Operation, Map<Outcome, LongAdder>> counts = new EnumMap<>(Operation.class);

    private volatile long latencyNanos = -1;

    public LeaseOperations() {
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

    /** Records the duration of a call that was answered, including the network. */
    void took(long nanos) {
        latencyNanos = nanos;
    }

    /** Duration of the call that was answered last; absent before the first answer. */
    public Optional<Duration> latency() {
        long nanos = latencyNanos;
        return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
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
