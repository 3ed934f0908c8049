package dev.comporta.lease;

import dev.comporta.lease.LeaseMessages.Announcement;
import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LeasedBucket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One bucket's slots, leased from Redis. Carries {@link SlotAccount} on the bucket's thread: everything not said to be for
 * any thread belongs there.
 */
public final class BucketLease implements LeasePort {
    /** A connection that was used within this is not idle but between two requests: taking it would only be undone. */
    private static final long IDLE_NANOS = Duration.ofMillis(200).toNanos();
    /** How often to look for idle connections while others want some, and for how long after they last said so. */
    private static final long IDLE_CHECK_NANOS = Duration.ofMillis(100).toNanos();

    private static final long WANTED_NANOS = Duration.ofSeconds(2).toNanos();

    private enum Stage {
        /** Not yet known to its bucket. */
        MADE,
        JOINED,
        /** The bucket was removed: leaves as soon as nothing is held any more. */
        LEAVING,
        GONE
    }

    private final String bucketId;
    private final RedisLeases fleet;
    private final LeasedBucket bucket;
    private final SlotAccount account;
    private final CallPacing pacing;
    private final IdleDemand idleDemand = new IdleDemand(WANTED_NANOS, IDLE_CHECK_NANOS);
    private final LeaseBoard board;
    private final LoggedAnswers answers;
    private final String key;
    private final String channelPrefix;
    private final ConnectMeter connects;
    private final CompletableFuture<BucketLease> left = new CompletableFuture<>();

    private Stage stage = Stage.MADE;
    private boolean flushDue;

    /** When this lease has something to do. Any thread. */
    private volatile long dueAt = SlotAccount.ALWAYS;
    /** Copy of the account's, for {@link #isValid}. */
    private volatile long validUntil = SlotAccount.NEVER;

    BucketLease(RedisLeases fleet, String bucketId, LeasedBucket bucket, long incarnation) {
        this.fleet = fleet;
        this.bucketId = bucketId;
        this.bucket = bucket;
        answers = new LoggedAnswers(bucketId, bucket);
        account = new SlotAccount(fleet.terms(), incarnation, LimitWord.asStarted(1));
        pacing = new CallPacing(fleet.intervalNanos(), fleet.random());
        board = new LeaseBoard(bucketId, fleet.settings().instance(), fleet.clock());
        String tag = fleet.settings().redis().keyPrefix() + ":{" + bucketId + "}:";
        key = tag + "slots";
        channelPrefix = tag + "to:";
        connects = new ConnectMeter(fleet, bucket, tag + "connects", this::settled);
    }

    String channel() {
        return channelPrefix + fleet.settings().instance();
    }

    public String bucketId() {
        return bucketId;
    }

    /** What is known of this bucket's slots. Any thread. */
    public LeaseView view() {
        return board.view();
    }

    /** Registers before the first connection is asked for, so that the others know of us. */
    @Override
    public void joined() {
        bucket.execute(() -> {
            if (stage == Stage.MADE) {
                stage = Stage.JOINED;
                account.limit = LimitWord.asStarted(bucket.settings().maxConnections());
                account.news = true;
                flush();
            }
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
        if (account.usable() > 0 && !isValid()) {
            account.enforce(fleet.clock().now(), answers);
            settled();
            flushSoon();
        }
    }

    @Override
    public int ask(int slots, Patience patience) {
        account.ask(slots, patience);
        flushSoon();
        return 0;
    }

    @Override
    public void withdraw(int slots) {
        account.withdraw(slots);
        flushSoon();
    }

    @Override
    public void giveBack(int slots) {
        account.giveBack(slots);
        flushSoon();
    }

    @Override
    public void revokedAreClosed(int slots) {
        account.closeOutlived(slots);
        flushSoon();
    }

    /**
     * The bucket's {@code max_connections} was changed: from Redis' next answer on, within milliseconds, that is the limit
     * for all instances, whatever they are configured with. Those above their share of a lower limit give up slots; of a
     * higher one, all may have their part.
     */
    @Override
    public void limitChanged(int maxConnections) {
        account.changeLimit(maxConnections);
        flushSoon();
    }

    @Override
    public boolean metersConnects() {
        return true;
    }

    @Override
    public int askConnects(int n) {
        connects.want(n);
        flushSoon();
        return 0;
    }

    /** After the event that is being handled: what it asks and gives back, in whatever pieces, is one call. */
    private void flushSoon() {
        if (!flushDue) {
            flushDue = true;
            bucket.execute(this::flush);
        }
    }

    /** Any thread. */
    void tick(long now) {
        if (now >= dueAt) {
            dueAt = SlotAccount.ALWAYS;
            bucket.execute(this::flush);
        }
    }

    private void flush() {
        flushDue = false;
        if (stage == Stage.MADE || stage == Stage.GONE) {
            return;
        }
        long now = fleet.clock().now();
        account.pump(now, answers);
        giveUpIdle(now);
        boolean canAsk = account.standing == SlotAccount.Standing.IN_TOUCH;
        connects.pump(canAsk ? 0 : fleet.terms().fleet(account.fleetSeen), now);
        if (fleet.link().isConnecting()) {
            pacing.holdOff(now);
        }
        if (stage == Stage.LEAVING && account.held() == 0 && account.inFlight == null) {
            sayGoodbye();
        } else if (account.inFlight == null && now >= pacing.nextCallAt(account)) {
            send(now);
        } else if (account.inFlight != null && account.news) {
            fleet.link().sendPosted(); // what has to wait for a heartbeat does not wait for the other buckets' too
        }
        settled();
    }

    private void send(long now) {
        account.idle = idle();
        boolean urgent = account.news;
        LeaseCall call = account.call(now);
        Operation operation = operation(call);
        pacing.sent(call, now);
        CompletionStage<LeaseReply> answer = urgent ? run(call) : post(call);
        answer.whenComplete((reply, failure) -> bucket.execute(() -> landed(operation, call, reply, failure)));
    }

    private Operation operation(LeaseCall call) {
        if (call.form() != LeaseCall.Form.SYNC) {
            return Operation.REGISTER;
        }
        if (call.asked() > call.seen() || call.atOnce() > 0) {
            return Operation.ACQUIRE;
        }
        LeaseCall last = pacing.lastCall();
        return last != null && call.returned() > last.returned() ? Operation.RELEASE : Operation.HEARTBEAT;
    }

    private CompletionStage<LeaseReply> run(LeaseCall call) {
        return fleet.link().run(LeaseScript.LEASE, key, arguments(call)).thenApply(LeaseMessages::reply);
    }

    /** A call without news waits for those of the other buckets. */
    private CompletionStage<LeaseReply> post(LeaseCall call) {
        return fleet.link().post(LeaseScript.LEASE, key, arguments(call)).thenApply(LeaseMessages::reply);
    }

    private String[] arguments(LeaseCall call) {
        return LeaseMessages.arguments(
                fleet.settings().instance(),
                channelPrefix,
                fleet.link().isCluster(),
                call,
                fleet.settings().timeToLive().toMillis());
    }

    private void landed(Operation operation, LeaseCall call, @Nullable LeaseReply reply, @Nullable Throwable failure) {
        if (stage == Stage.GONE) {
            return;
        }
        long now = fleet.clock().now();
        if (reply == null) {
            fleet.operations().count(operation, Outcome.FAILED);
            board.failed(account, failure == null ? "no answer" : RedisTrouble.of(failure));
            account.failed(now, answers);
            pacing.failed(now);
        } else {
            boolean ok = reply.status() == LeaseReply.Status.OK;
            fleet.operations().count(operation, ok ? Outcome.OK : Outcome.REFUSED);
            fleet.operations().took(now - call.sentAt());
            answered(call, reply, now);
        }
        flush();
    }

    private void answered(LeaseCall call, LeaseReply reply, long now) {
        SlotAccount.Standing before = account.standing;
        account.answered(reply, now, answers);
        pacing.answered(reply, now);
        idleDemand.heard(reply.soft(), now);
        bucket.limitRaised(account.limit.effective());
        board.answered(before, account, call, reply);
    }

    /** Any thread. */
    void heard(String text) {
        Announcement announcement = Announcement.parse(text);
        bucket.execute(() -> {
            if (stage == Stage.GONE) {
                return;
            }
            long now = fleet.clock().now();
            account.announced(announcement.incarnation(), announcement.granted(), announcement.hard(), now, answers);
            if (announcement.soft() > 0 && announcement.incarnation() == account.incarnation) {
                idleDemand.heard(announcement.soft(), now);
                account.news = true; // the store hears how many are idle, and asks another if none is
            }
            flush();
        });
    }

    /** Others wait: what has been idle for a while goes to them. */
    private void giveUpIdle(long now) {
        if (idleDemand.isDue(now)) {
            account.demand(idleDemand.take(idle(), account.owed, now), answers);
        }
    }

    private int idle() {
        return bucket.idleSince(bucket.now() - IDLE_NANOS);
    }

    /** Publishes what other threads look at. */
    private void settled() {
        validUntil = account.validUntil;
        long due = account.inFlight == null ? pacing.nextCallAt(account) : SlotAccount.ALWAYS;
        if (account.usable() > 0) {
            due = Math.min(due, account.validUntil);
        }
        dueAt = stage == Stage.GONE
                ? SlotAccount.ALWAYS
                : Math.min(due, Math.min(idleDemand.dueAt(), connects.dueAt()));
        board.settled(account);
    }

    /**
     * The bucket was removed: nobody stands in line for it from now on, and when its last connection is closed its entry
     * goes too. Any thread.
     */
    CompletableFuture<BucketLease> leaveWhenEmpty() {
        bucket.execute(() -> {
            if (stage == Stage.MADE) {
                sayGoodbye();
            } else if (stage == Stage.JOINED) {
                stage = Stage.LEAVING;
                account.leaveLine(answers);
                flush();
            }
        });
        return left;
    }

    /** The instance leaves: all its slots are free. Any thread. */
    CompletableFuture<BucketLease> leave() {
        bucket.execute(this::sayGoodbye);
        return left;
    }

    private void sayGoodbye() {
        if (stage == Stage.GONE) {
            return;
        }
        stage = Stage.GONE;
        dueAt = SlotAccount.ALWAYS;
        if (pacing.lastCall() == null) {
            left.complete(this); // nobody ever heard of us
            return;
        }
        run(account.farewell(fleet.clock().now())).whenComplete((reply, failure) -> {
            fleet.operations().count(Operation.LEAVE, reply == null ? Outcome.FAILED : Outcome.OK);
            left.complete(this);
        });
    }
}
