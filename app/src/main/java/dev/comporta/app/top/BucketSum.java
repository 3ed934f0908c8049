package dev.comporta.app.top;

import dev.comporta.app.top.BucketFigures.State;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A bucket's figures, summed over all instances that answered.
 *
 * @param state the worst state in any instance
 * @param inState the number of instances with that state
 * @param of the number of instances that have the bucket
 * @param reason why it is down, from one of them
 * @param limit the limit over all of them
 * @param waitP99 the highest of any instance, because percentiles can't be added up; so are the following
 */
record BucketSum(
        String bucket,
        State state,
        int inState,
        int of,
        String reason,
        int clients,
        int active,
        int idle,
        int pinned,
        int waiting,
        int limit,
        double requestsPerSecond,
        @Nullable Double waitP99,
        @Nullable Double queryP99,
        @Nullable Double longestPin,
        @Nullable Double longestTransaction) {

    /** The figures of one instance, and whether it shares its limits with others. */
    record Share(boolean shared, BucketFigures figures) {}

    /** @param shares of the same bucket; at least one */
    static BucketSum of(List<Share> shares) {
        List<BucketFigures> all = shares.stream().map(Share::figures).toList();
        State worst =
                all.stream().map(BucketFigures::state).min(State::compareTo).orElseThrow();
        return new BucketSum(
                all.getFirst().bucket(),
                worst,
                (int) all.stream().filter(one -> one.state() == worst).count(),
                all.size(),
                all.stream()
                        .map(BucketFigures::reason)
                        .filter(reason -> !reason.isEmpty())
                        .findFirst()
                        .orElse(""),
                all.stream().mapToInt(BucketFigures::clients).sum(),
                all.stream().mapToInt(BucketFigures::active).sum(),
                all.stream().mapToInt(BucketFigures::idle).sum(),
                all.stream().mapToInt(BucketFigures::pinned).sum(),
                all.stream().mapToInt(BucketFigures::waiting).sum(),
                limit(shares),
                all.stream().mapToDouble(BucketFigures::requestsPerSecond).sum(),
                most(all, BucketFigures::waitP99),
                most(all, BucketFigures::queryP99),
                most(all, BucketFigures::longestPin),
                most(all, BucketFigures::longestTransaction));
    }

    /** Instances that share a limit report the same one; each of the others has its own. */
    private static int limit(List<Share> shares) {
        int common = shares.stream()
                .filter(Share::shared)
                .mapToInt(share -> share.figures().limit())
                .max()
                .orElse(0);
        int own = shares.stream()
                .filter(share -> !share.shared())
                .mapToInt(share -> share.figures().limit())
                .sum();
        return common + own;
    }

    private static @Nullable Double most(List<BucketFigures> all, Function<BucketFigures, @Nullable Double> figure) {
        return all.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    /** The part of the limit that is in use, from 0 to 1. */
    double load() {
        return limit == 0 ? 0 : (double) active / limit;
    }

    String shownState() {
        return inState == of ? state.shown() : state.shown() + " " + inState + "/" + of;
    }
}
