package dev.comporta.app.top;

import dev.comporta.app.top.BucketFigures.State;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The order of the buckets. Equal ones are in the order of their names. */
enum Sort {
    /**
     * Down first, then paused, then by waiting requests, then by the part of the limit that is in use.
     */
    PRESSURE("pressure"),
    REQUESTS("requests/s"),
    WAIT("wait p99"),
    QUERY("query p99"),
    PIN("longest pin"),
    TRANSACTION("longest transaction"),
    CLIENTS("clients"),
    NAME("name");

    private final String shown;

    Sort(String shown) {
        this.shown = shown;
    }

    String shown() {
        return shown;
    }

    Comparator<BucketSum> order() {
        Comparator<BucketSum> order = switch (this) {
            case PRESSURE ->
                Comparator.comparingInt(Sort::trouble)
                        .thenComparing(most(BucketSum::waiting))
                        .thenComparing(most(BucketSum::load));
            case REQUESTS -> most(BucketSum::requestsPerSecond);
            case WAIT -> mostKnown(BucketSum::waitP99);
            case QUERY -> mostKnown(BucketSum::queryP99);
            case PIN -> mostKnown(BucketSum::longestPin);
            case TRANSACTION -> mostKnown(BucketSum::longestTransaction);
            case CLIENTS -> most(BucketSum::clients);
            case NAME -> (_, _) -> 0;
        };
        return order.thenComparing(BucketSum::bucket);
    }

    Sort next() {
        return switch (this) {
            case PRESSURE -> REQUESTS;
            case REQUESTS -> WAIT;
            case WAIT -> QUERY;
            case QUERY -> PIN;
            case PIN -> TRANSACTION;
            case TRANSACTION -> CLIENTS;
            case CLIENTS -> NAME;
            case NAME -> PRESSURE;
        };
    }

    private static int trouble(BucketSum bucket) {
        return bucket.state() == State.DOWN ? 0 : bucket.state() == State.PAUSED ? 1 : 2;
    }

    private static Comparator<BucketSum> most(ToDoubleFunction<BucketSum> figure) {
        return Comparator.comparingDouble(figure).reversed();
    }

    private static Comparator<BucketSum> mostKnown(Function<BucketSum, @Nullable Double> figure) {
        return most(bucket -> {
            Double value = figure.apply(bucket);
            return value == null ? -1 : value;
        });
    }
}
