package dev.comporta.lease;

import dev.comporta.lease.LeaseCaller.Landing;
import dev.comporta.lease.store.Announcement;
import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LeasedBucket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One bucket's slots, leased from the fleet. Drives {@link SlotAccount} on the bucket's thread; every method that is not
 * marked "Any thread" belongs there. {@link LeaseCaller} calls the store.
 */
public final class BucketLease implements LeasePort {
    /** A connection used more recently than this is between two requests, not idle: it would be opened again at once. */
    private static final long IDLE_NANOS = Duration.ofMillis(200).toNanos();
    /** How often to look for idle connections while other instances want some, and how long their demand stays valid. */
    private static final long IDLE_CHECK_NANOS = Duration.ofMillis(100).toNanos();

    private static final long WANTED_NANOS = Duration.ofSeconds(2).toNanos();

    private enum Stage {
        /** The bucket is not made yet. */
        MADE,
        JOINED,
        /** The bucket was removed: leaves when it holds no slots. */
        LEAVING,
        GONE
    }

    private final String bucketId;
    private final FleetLeases fleet;
    private final LeasedBucket bucket;
    private final SlotAccount account;
    private final LeaseCaller caller;
    private final IdleDemand idleDemand = new IdleDemand(WANTED_NANOS, IDLE_CHECK_NANOS);
    private final LeaseBoard board;
    private final LoggedAnswers answers;
    private final ConnectMeter connects;
    private final CompletableFuture<BucketLease> left = new CompletableFuture<>();

    private Stage stage = Stage.MADE;
    private boolean flushDue;

    /** When this lease has something to do. Any thread. */
    private volatile long dueAt = CallPacing.NOT_DUE;
    /** Copy of the account's value, for {@link #isValid}. */
    private volatile long validUntil = SlotAccount.NEVER;

    BucketLease(FleetLeases fleet, String bucketId, LeasedBucket bucket, long incarnation) {
        this.fleet = fleet;
        this.bucketId = bucketId;
        this.bucket = bucket;
        answers = new LoggedAnswers(bucketId, bucket, fleet.news());
        account = new SlotAccount(fleet.terms(), incarnation, LimitWord.asStarted(1));
        caller = new LeaseCaller(fleet, bucketId, bucket, account, this::idle, this::landed);
        board = new LeaseBoard(bucketId, fleet.settings().instance(), fleet.clock(), fleet.news());
        connects = new ConnectMeter(fleet, bucket, bucketId, this::settled);
    }

    public String bucketId() {
        return bucketId;
    }

    /** The state of this bucket's slots. Any thread. */
    public LeaseView view() {
        return board.view();
    }

    /** Registers before the first connection is wanted, so that the other instances know of this one. */
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
     * Whether the lease is still valid by this instance's own clock. One comparison, for the hot path, on the bucket's
     * thread. If not, {@link #enforce} must be called before a client is attached.
     */
    public boolean isValid() {
        return fleet.clock().now() < validUntil;
    }

    /**
     * Must be called before every event that may attach a client. If the lease has expired during a pause, it revokes the
     * slots; otherwise it does nothing.
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
     * The bucket's {@code max_connections} was changed: from the store's next answer on, within milliseconds, that is the
     * limit of all instances, whatever their configuration says. Instances above their share of a lower limit give up
     * slots; of a higher limit, all get their share.
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

    /** Calls the store after the present event, so that one call has all that it asks for and gives back. */
    private void flushSoon() {
        if (!flushDue) {
            flushDue = true;
            bucket.execute(this::flush);
        }
    }

    /** Any thread. */
    void tick(long now) {
        if (now >= dueAt) {
            dueAt = CallPacing.NOT_DUE;
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
        if (stage == Stage.LEAVING && account.held() == 0 && account.inFlight == null) {
            sayGoodbye();
        } else {
            caller.pump(now);
        }
        settled();
    }

    private void landed(Landing landing) {
        if (stage == Stage.GONE) {
            return;
        }
        long now = fleet.clock().now();
        caller.note(landing, now);
        switch (landing) {
            case Landing.Answered ok -> answered(ok.call(), ok.reply(), now);
            case Landing.Failed failed -> {
                board.failed(account, failed.why());
                account.failed(now, answers);
            }
        }
        flush();
    }

    private void answered(LeaseCall call, LeaseReply reply, long now) {
        SlotAccount.Standing before = account.standing;
        account.answered(reply, now, answers);
        idleDemand.heard(reply.soft(), now);
        bucket.limitRaised(account.limit.effective());
        board.answered(before, account, call, reply);
    }

    /** Any thread. */
    void heard(Announcement announcement) {
        bucket.execute(() -> {
            if (stage == Stage.GONE) {
                return;
            }
            long now = fleet.clock().now();
            account.announced(announcement.incarnation(), announcement.granted(), announcement.hard(), now, answers);
            if (announcement.soft() > 0 && announcement.incarnation() == account.incarnation) {
                idleDemand.heard(announcement.soft(), now);
                account.news = true; // the store learns how many are idle, and asks another instance if none are
            }
            flush();
        });
    }

    /** Other instances wait: gives up connections that have been idle for a while. */
    private void giveUpIdle(long now) {
        if (idleDemand.isDue(now)) {
            account.demand(idleDemand.take(idle(), account.owed, now), answers);
        }
    }

    private int idle() {
        return bucket.idleSince(bucket.now() - IDLE_NANOS);
    }

    /** Publishes what other threads read. */
    private void settled() {
        validUntil = account.validUntil;
        long due = caller.dueAt();
        if (account.usable() > 0) {
            due = Math.min(due, account.validUntil);
        }
        dueAt = stage == Stage.GONE
                ? CallPacing.NOT_DUE
                : Math.min(due, Math.min(idleDemand.dueAt(), connects.dueAt()));
        board.settled(account);
    }

    /**
     * The bucket was removed: it leaves the line at once, and its entry is removed when its last connection is closed.
     * Any thread.
     */
    CompletableFuture<BucketLease> leaveWhenEmpty() {
        bucket.execute(this::startLeaving);
        return left;
    }

    private void startLeaving() {
        if (stage == Stage.MADE) {
            sayGoodbye();
        } else if (stage == Stage.JOINED) {
            stage = Stage.LEAVING;
            account.leaveLine(answers);
            flush();
        }
    }

    /**
     * Leaves the fleet. The slots are free at once, except those of connections that their server has not ended: the
     * database still counts these, so their slots are free when they have ended or the lease has expired. Any thread.
     */
    public CompletableFuture<BucketLease> leave() {
        bucket.execute(() -> {
            if (account.held() == 0) {
                sayGoodbye();
            } else {
                startLeaving();
            }
        });
        return left;
    }

    private void sayGoodbye() {
        if (stage == Stage.GONE) {
            return;
        }
        stage = Stage.GONE;
        dueAt = CallPacing.NOT_DUE;
        caller.farewell(fleet.clock().now(), () -> left.complete(this));
    }
}
