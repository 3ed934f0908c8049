package dev.comporta.lease;

import dev.comporta.lease.LeaseMessages.Announcement;
import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.pool.Bucket;
import dev.comporta.pool.LeasePort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bucket's slots, leased from Redis. Carries {@link SlotAccount} on the bucket's thread: everything not said to be for
 * any thread belongs there.
 */
public final class BucketLease implements LeasePort {
    private static final Logger log = LoggerFactory.getLogger(BucketLease.class);

    /** Who stands in line asks this often whether an announcement was lost. */
    private static final long POLL_NANOS = Duration.ofSeconds(1).toNanos();
    /** A connection that was used within this is not idle but between two requests: taking it would only be undone. */
    private static final long IDLE_NANOS = Duration.ofMillis(200).toNanos();
    /** How often to look for idle connections while others want some, and for how long after they last said so. */
    private static final long IDLE_CHECK_NANOS = Duration.ofMillis(100).toNanos();

    private static final long WANTED_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(50).toNanos();
    /** A Redis that is back must be found well within a lease. */
    private static final long SLOWEST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * While we stand in line no slot is free, and how many we stand there for changes with every client that comes or is
     * served: the store hears of that now and then, or it would hear of every request.
     */
    private static final long LINE_NEWS_NANOS = Duration.ofMillis(100).toNanos();

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final String bucketId;
    private final RedisLeases fleet;
    private final LeaseHost host;
    private final SlotAccount account;
    private final BucketAnswers answers;
    private final String key;
    private final String channelPrefix;
    private final ConnectMeter connects;

    private boolean flushDue;
    private boolean closed;
    private long lastSentAt;
    private @Nullable LeaseCall lastCall;
    private long backoff = FIRST_BACKOFF_NANOS;
    private long retryAt;
    private long pollAt;
    private final IdleDemand idleDemand = new IdleDemand(WANTED_NANOS, IDLE_CHECK_NANOS);
    private boolean disputed;

    /** When this lease has something to do. Any thread. */
    private volatile long dueAt = SlotAccount.ALWAYS;
    /** Copy of the account's, for {@link #isValid}. */
    private volatile long validUntil = SlotAccount.NEVER;

    private volatile long lastAckedAt = SlotAccount.NEVER;
    private volatile LeaseView view;

    BucketLease(RedisLeases fleet, String bucketId, LeaseHost host, long incarnation) {
        this.fleet = fleet;
        this.bucketId = bucketId;
        this.host = host;
        answers = new BucketAnswers(bucketId, host);
        account = new SlotAccount(fleet.terms(), incarnation, 1);
        String tag = fleet.settings().redis().keyPrefix() + ":{" + bucketId + "}:";
        key = tag + "slots";
        channelPrefix = tag + "to:";
        connects = new ConnectMeter(fleet, host, tag + "connects");
        view = new LeaseView(bucketId, LeaseView.Standing.IN_TOUCH, 0, 0, 0, 0, 0, Duration.ofNanos(-1), List.of());
    }

    String channel() {
        return channelPrefix + fleet.settings().instance();
    }

    public String bucketId() {
        return bucketId;
    }

    /** What is known of this bucket's slots. Any thread. */
    public LeaseView view() {
        LeaseView last = view;
        return new LeaseView(
                last.bucket(),
                last.standing(),
                last.held(),
                last.waiting(),
                last.limit(),
                last.limitVersion(),
                last.highestLimit(),
                sinceHeartbeat(),
                last.fleet());
    }

    /** Registers before the first connection is asked for, so that the others know of us. */
    @Override
    public void joined(Bucket of) {
        host.execute(() -> {
            answers.bucket = of;
            account.news = true;
            flush();
        });
    }

    /**
     * Whether the lease still holds, by this instance's own clock. One comparison: for the hot path, on the bucket's
     * thread. If not, {@link #enforce} must be called before a client is attached.
     */
    public boolean isValid() {
        return fleet.clock().now() < validUntil;
    }

    /**
     * To be called before every event that may attach a client. After a pause in which the lease ended, it revokes from
     * the bucket what is over; otherwise it does nothing.
     */
    @Override
    public void enforce() {
        if (account.held() > 0 && !isValid()) {
            account.enforce(fleet.clock().now(), answers);
            settled();
            flushSoon();
        }
    }

    @Override
    public void ask(Bucket from, int slots, Patience patience) {
        answers.bucket = from;
        account.ask(slots, patience);
        flushSoon();
    }

    @Override
    public void withdraw(Bucket from, int slots) {
        account.withdraw(slots);
        flushSoon();
    }

    @Override
    public void giveBack(Bucket from, int slots) {
        account.giveBack(slots);
        flushSoon();
    }

    @Override
    public boolean metersConnects() {
        return true;
    }

    @Override
    public void askConnects(Bucket from, int n) {
        connects.want(n);
        flushSoon();
    }

    /** After the event that is being handled: what it asks and gives back, in whatever pieces, is one call. */
    private void flushSoon() {
        if (!flushDue) {
            flushDue = true;
            host.execute(this::flush);
        }
    }

    /** Any thread. */
    void tick(long now) {
        if (now >= dueAt) {
            dueAt = SlotAccount.ALWAYS;
            host.execute(this::flush);
        }
    }

    private void flush() {
        flushDue = false;
        Bucket b = answers.bucket;
        if (b == null || closed) {
            return;
        }
        long now = fleet.clock().now();
        account.pump(now, answers);
        giveUpIdle(b, now);
        boolean canAsk = account.standing == SlotAccount.Standing.IN_TOUCH;
        connects.pump(b, canAsk ? 0 : fleet.terms().fleet(account.fleetSeen), now);
        if (fleet.link().isConnecting()) {
            retryAt = now + FIRST_BACKOFF_NANOS;
        }
        if (account.inFlight == null && now >= nextCallAt()) {
            send(b, now);
        }
        settled();
    }

    private long nextCallAt() {
        if (account.standing == SlotAccount.Standing.SUPERSEDED) {
            return lastSentAt + fleet.intervalNanos();
        }
        if (account.news) {
            boolean inLine = lastCall != null && lastCall.leavesOnlyTheLineToTell(account);
            return inLine ? Math.max(retryAt, lastSentAt + LINE_NEWS_NANOS) : retryAt;
        }
        long heartbeat = lastSentAt + fleet.intervalNanos();
        return Math.max(retryAt, account.line > 0 ? Math.min(heartbeat, pollAt) : heartbeat);
    }

    private void send(Bucket b, long now) {
        account.limit = b.settings().maxConnections();
        account.idle = b.idleSince(host.now() - IDLE_NANOS);
        LeaseCall call = account.call(now);
        Operation operation = operation(call);
        lastSentAt = now;
        lastCall = call;
        run(call).whenComplete((reply, failure) -> host.execute(() -> landed(operation, call, reply, failure)));
    }

    private Operation operation(LeaseCall call) {
        if (call.form() != LeaseCall.Form.SYNC) {
            return Operation.REGISTER;
        }
        if (call.asked() > call.seen() || call.atOnce() > 0) {
            return Operation.ACQUIRE;
        }
        return lastCall != null && call.returned() > lastCall.returned() ? Operation.RELEASE : Operation.HEARTBEAT;
    }

    private CompletionStage<LeaseReply> run(LeaseCall call) {
        String[] arguments = LeaseMessages.arguments(
                fleet.settings().instance(),
                channelPrefix,
                fleet.link().isCluster(),
                call,
                fleet.settings().timeToLive().toMillis());
        return fleet.link().run(LeaseScript.LEASE, key, arguments).thenApply(LeaseMessages::reply);
    }

    private void landed(Operation operation, LeaseCall call, @Nullable LeaseReply reply, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        long now = fleet.clock().now();
        if (reply == null) {
            fleet.operations().count(operation, Outcome.FAILED);
            failed(now, failure == null ? "no answer" : RedisLink.rootMessage(failure));
        } else {
            boolean ok = reply.status() == LeaseReply.Status.OK;
            fleet.operations().count(operation, ok ? Outcome.OK : Outcome.REFUSED);
            answered(call, reply, now);
        }
        flush();
        host.answered();
    }

    private void failed(long now, String why) {
        if (account.standing == SlotAccount.Standing.IN_TOUCH) {
            log.warn("bucket {}: the fleet's slots can't be had: {}", bucketId, why);
        }
        account.failed(now, answers);
        retryAt = now + backoff / 2 + fleet.random().nextLong(backoff / 2 + 1);
        backoff = Math.min(backoff * 2, SLOWEST_BACKOFF_NANOS);
    }

    private void answered(LeaseCall call, LeaseReply reply, long now) {
        SlotAccount.Standing before = account.standing;
        account.answered(reply, now, answers);
        backoff = FIRST_BACKOFF_NANOS;
        retryAt = now;
        pollAt = now
                + (reply.opensInMillis() > 0
                        ? Math.min(POLL_NANOS, (reply.opensInMillis() + 1) * NANOS_PER_MILLI)
                        : POLL_NANOS);
        if (reply.status() == LeaseReply.Status.OK) {
            lastAckedAt = call.sentAt();
        }
        idleDemand.heard(reply.soft(), now);
        report(before, reply);
        show(reply);
    }

    private void report(SlotAccount.Standing before, LeaseReply reply) {
        if (before != account.standing) {
            log.info("bucket {}: {} after {}", bucketId, account.standing, before);
        }
        if (reply.status() == LeaseReply.Status.SUPERSEDED) {
            log.error(
                    "bucket {}: another process runs as instance '{}': this one gets no connections. Give each its own name",
                    bucketId,
                    fleet.settings().instance());
        }
        boolean now = reply.limit() != reply.highestLimit() && reply.status() == LeaseReply.Status.OK;
        if (now && !disputed) {
            log.warn(
                    "bucket {}: instances are configured with limits from {} to {}: the lowest rules",
                    bucketId,
                    reply.limit(),
                    reply.highestLimit());
        }
        disputed = now;
    }

    /** Any thread. */
    void heard(String text) {
        Announcement announcement = Announcement.parse(text);
        host.execute(() -> {
            if (closed) {
                return;
            }
            long now = fleet.clock().now();
            account.announced(announcement.incarnation(), announcement.granted(), announcement.hard(), now, answers);
            if (announcement.soft() > 0 && announcement.incarnation() == account.incarnation) {
                idleDemand.heard(announcement.soft(), now);
                account.news = true; // the store hears how many are idle, and asks another if none is
            }
            flush();
            host.answered();
        });
    }

    /** Others wait: what has been idle for a while goes to them. */
    private void giveUpIdle(Bucket b, long now) {
        if (idleDemand.isDue(now)) {
            int idle = b.idleSince(host.now() - IDLE_NANOS);
            account.demand(idleDemand.take(idle, account.owed, now), answers);
        }
    }

    /** Publishes what other threads look at. */
    private void settled() {
        validUntil = account.validUntil;
        long due = account.inFlight == null ? nextCallAt() : SlotAccount.ALWAYS;
        if (account.held() > 0) {
            due = Math.min(due, account.validUntil);
        }
        dueAt = Math.min(Math.min(due, idleDemand.dueAt()), connects.dueAt());
        showOurselves();
    }

    private void show(LeaseReply reply) {
        List<LeaseView.Holder> holders = reply.fleet().stream()
                .map(m -> new LeaseView.Holder(
                        m.instance(), m.held(), m.waiting(), m.idle(), m.limit(), Duration.ofMillis(m.leftMillis())))
                .toList();
        show(reply.limit(), reply.version(), reply.highestLimit(), holders);
    }

    private void show(int limit, long version, int highest, List<LeaseView.Holder> holders) {
        view = new LeaseView(
                bucketId, standing(), account.held(), account.line, limit, version, highest, Duration.ZERO, holders);
    }

    /** What we know of ourselves changes without an answer too. */
    private void showOurselves() {
        LeaseView last = view;
        if (last.standing() != standing() || last.held() != account.held() || last.waiting() != account.line) {
            show(last.limit(), last.limitVersion(), last.highestLimit(), last.fleet());
        }
    }

    private LeaseView.Standing standing() {
        return switch (account.standing) {
            case IN_TOUCH -> LeaseView.Standing.IN_TOUCH;
            case TROUBLED -> LeaseView.Standing.TROUBLED;
            case FALLBACK -> LeaseView.Standing.FALLBACK;
            case SUPERSEDED -> LeaseView.Standing.SUPERSEDED;
        };
    }

    private Duration sinceHeartbeat() {
        return Duration.ofNanos(
                lastAckedAt == SlotAccount.NEVER ? -1 : fleet.clock().now() - lastAckedAt);
    }

    /** The instance leaves: all its slots are free. Any thread. */
    CompletableFuture<?> leave() {
        CompletableFuture<Object> left = new CompletableFuture<>();
        host.execute(() -> {
            closed = true;
            dueAt = SlotAccount.ALWAYS;
            if (account.form == LeaseCall.Form.JOIN) {
                left.complete(this);
                return;
            }
            run(account.farewell(fleet.clock().now())).whenComplete((reply, failure) -> {
                fleet.operations().count(Operation.LEAVE, reply == null ? Outcome.FAILED : Outcome.OK);
                left.complete(this);
            });
        });
        return left;
    }
}
