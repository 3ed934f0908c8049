package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of a bucket's lease for views and for the log. Written on the bucket's thread, read on any. */
final class LeaseBoard {
    private static final Logger log = LoggerFactory.getLogger(LeaseBoard.class);

    /** The limits that were logged last: only changes are logged. */
    private record Limits(int ruling, long version, int lowest, int highest) {
        boolean differ() {
            return lowest != highest || ruling != lowest;
        }
    }

    private final String bucketId;
    private final String instance;
    private final LeaseClock clock;
    private final LeaseNews news;
    private Limits limits = new Limits(0, 0, 0, 0);

    private volatile long lastAckedAt = SlotAccount.NEVER;
    private volatile LeaseView view;

    LeaseBoard(String bucketId, String instance, LeaseClock clock, LeaseNews news) {
        this.bucketId = bucketId;
        this.instance = instance;
        this.clock = clock;
        this.news = news;
        view = new LeaseView(bucketId, LeaseView.Standing.IN_TOUCH, 0, 0, 0, 0, Duration.ofNanos(-1), List.of());
    }

    /** Any thread. */
    LeaseView view() {
        LeaseView last = view;
        return new LeaseView(
                last.bucket(),
                last.standing(),
                last.held(),
                last.waiting(),
                last.limit(),
                last.limitVersion(),
                sinceHeartbeat(),
                last.fleet());
    }

    private Duration sinceHeartbeat() {
        return Duration.ofNanos(lastAckedAt == SlotAccount.NEVER ? -1 : clock.now() - lastAckedAt);
    }

    void failed(SlotAccount account, String why) {
        if (account.standing == SlotAccount.Standing.IN_TOUCH) {
            log.atWarn()
                    .addKeyValue("bucket", bucketId)
                    .log("bucket {}: cannot lease slots from the fleet: {}", bucketId, why);
        }
    }

    void answered(SlotAccount.Standing before, SlotAccount account, LeaseCall call, LeaseReply reply) {
        if (before != account.standing) {
            log.atInfo()
                    .addKeyValue("bucket", bucketId)
                    .log("bucket {}: lease state is now {}, was {}", bucketId, account.standing, before);
        }
        if (reply.status() == LeaseReply.Status.SUPERSEDED) {
            log.atError()
                    .addKeyValue("bucket", bucketId)
                    .log(
                            "bucket {}: another process runs as instance '{}', so this one gets no slots: give each its own instance_id",
                            bucketId,
                            instance);
        }
        if (reply.status() == LeaseReply.Status.OK) {
            lastAckedAt = call.sentAt();
            compareLimits(reply);
        }
        List<LeaseView.Holder> holders = reply.fleet().stream()
                .map(m -> new LeaseView.Holder(
                        m.instance(), m.held(), m.waiting(), m.idle(), m.limit(), Duration.ofMillis(m.leftMillis())))
                .toList();
        show(account, reply.limit(), reply.change().version(), holders);
    }

    private void compareLimits(LeaseReply reply) {
        var said = reply.fleet().stream().mapToInt(LeaseReply.Member::limit).summaryStatistics();
        Limits now = new Limits(reply.limit(), reply.change().version(), said.getMin(), said.getMax());
        if (now.equals(limits)) {
            return;
        }
        if (now.differ()) {
            log.atWarn()
                    .addKeyValue("bucket", bucketId)
                    .log(
                            "bucket {}: instances are configured with different limits ({}): {} is in force, {}."
                                    + " Configure the same limit on all of them",
                            bucketId,
                            reply.fleet().stream()
                                    .map(m -> m.instance() + " with " + m.limit())
                                    .collect(Collectors.joining(", ")),
                            now.ruling,
                            now.ruling == now.lowest ? "the lowest" : "set at runtime (version " + now.version + ")");
        } else if (limits.differ()) {
            log.atInfo()
                    .addKeyValue("bucket", bucketId)
                    .log("bucket {}: all instances are configured with {} connections", bucketId, now.ruling);
        } else if (limits.ruling != 0) {
            log.atInfo()
                    .addKeyValue("bucket", bucketId)
                    .log("bucket {}: the limit is {} now, and was {}", bucketId, now.ruling, limits.ruling);
        }
        limits = now;
    }

    /** Publishes changes of this instance's own entry, which also happen without an answer of the store. */
    void settled(SlotAccount account) {
        LeaseView last = view;
        if (last.standing() != standing(account)
                || last.held() != account.held()
                || last.waiting() != account.asks.line) {
            show(account, last.limit(), last.limitVersion(), last.fleet());
        }
    }

    private void show(SlotAccount account, int limit, long version, List<LeaseView.Holder> holders) {
        LeaseView.Standing before = view.standing();
        LeaseView.Standing now = standing(account);
        view = new LeaseView(bucketId, now, account.held(), account.asks.line, limit, version, Duration.ZERO, holders);
        if (now != before) {
            news.standing(bucketId, now, before);
        }
    }

    private static LeaseView.Standing standing(SlotAccount account) {
        return switch (account.standing) {
            case IN_TOUCH -> LeaseView.Standing.IN_TOUCH;
            case TROUBLED -> LeaseView.Standing.TROUBLED;
            case FALLBACK -> LeaseView.Standing.FALLBACK;
            case SUPERSEDED -> LeaseView.Standing.SUPERSEDED;
        };
    }
}
