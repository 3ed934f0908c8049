package dev.comporta.pool;

import dev.comporta.pool.heap.HeapNode;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.SlotHold;
import dev.comporta.pool.stats.Counters;
import org.jspecify.annotations.Nullable;

/**
 * A server connection as the pool sees it. The carrier hangs its own on {@link #attach(Object)}. Confined to its
 * bucket's thread.
 */
public final class ServerConnection extends HeapNode {
    final Pool pool;
    private final long id;
    private @Nullable Object attachment;

    ConnectionState state = ConnectionState.LEASING;
    SlotHold hold = SlotHold.NONE;
    /** Whether its login's limit counts it. */
    boolean counted;
    /** Whether it is being closed because its login has too many. */
    boolean leavesLogin;

    /** While closing: the connection that gets the slot, when it was closed for that one. */
    @Nullable
    ServerConnection heir;
    /** While leasing: the connection that is being closed for this one. */
    @Nullable
    ServerConnection slotFrom;

    @Nullable
    Waiter waiter;

    @Nullable
    Waiter lastWaiter;

    @Nullable
    Object sessionState;
    /** The session state its login left it in: what every reset brings back. */
    @Nullable
    Object loginState;
    /** How it is being validated, or was last. */
    HealthSettings.Check check = HealthSettings.Check.PING;

    boolean changedHands;
    /** What was done on it since its last reset may have left what its session state does not tell: locks, tables. */
    boolean unclean;

    @Nullable
    PinReason pinReason;

    CloseReason closeReason = CloseReason.NOT_NEEDED;
    /** Opened by the reservoir, not because someone waited. */
    boolean forStock;
    /** Checked because of the clock, not because someone wanted it: then a failure speaks of the server. */
    boolean backgroundCheck;
    /** A replacement is due: it is not counted as stock any more, though it still serves. */
    boolean aging;

    long generation;
    long createdAt;
    /** When it came to its present stage: opening, checking or pinned. */
    long stageSince;

    /** What had been told of the server when its opening or validation began, see {@link Health#news}. */
    long newsAtStart;

    long attachedAt;
    /** Last handed back, or opened: a validation does not change it. */
    long idleSince;
    /** When the server last answered on it. */
    long heardAt;
    /** From here on it is not handed out: the guard window before its end has begun. */
    long handoutUntil = Long.MAX_VALUE;

    long uses;
    long queries;
    long bytesSent;
    long bytesReceived;

    /** Its place in the bucket's table of connections. */
    int index;

    @Nullable
    ServerConnection stageBefore;

    @Nullable
    ServerConnection stageAfter;

    @Nullable
    ServerConnection idleAbove;

    @Nullable
    ServerConnection idleBelow;

    @Nullable
    ServerConnection restBefore;

    @Nullable
    ServerConnection restAfter;

    ServerConnection(Pool pool, long id) {
        this.pool = pool;
        this.id = id;
    }

    /** Unique in its bucket. */
    public long id() {
        return id;
    }

    public Pool pool() {
        return pool;
    }

    public Bucket bucket() {
        return pool.bucket;
    }

    public ConnectionState state() {
        return state;
    }

    public @Nullable PinReason pinReason() {
        return pinReason;
    }

    /** Who has it now. */
    public @Nullable Waiter waiter() {
        return waiter;
    }

    /** Whether the client that has it now is another than the one before: then the session has to be reset. */
    public boolean changedHands() {
        return changedHands;
    }

    /** How often it was handed out, this time included: 1 means that the session is as the login left it. */
    public long uses() {
        return uses;
    }

    /** The state its session is in, as far as told: as last handed back, or as its login left it if it was reset since. */
    public @Nullable Object sessionState() {
        return sessionState;
    }

    /** Remembers the carrier's own object for this connection. */
    public void attach(Object carriers) {
        attachment = carriers;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    /** Counts a query that was answered. Allocates nothing. */
    public void countQuery(long nanos) {
        queries++;
        Counters counters = pool.counters;
        counters.queries++;
        counters.queryNanos += nanos;
        pool.bucket.tallies.query.record(nanos);
    }

    /** Counts what was sent to the server. With each packet, so that a transfer shows while it lasts. */
    public void countSent(int bytes) {
        bytesSent += bytes;
        pool.counters.bytesSent += bytes;
    }

    /** Counts what has come from the server. */
    public void countReceived(int bytes) {
        bytesReceived += bytes;
        pool.counters.bytesReceived += bytes;
    }

    /** From now on this is the client's own: what each had before is forgotten, so that nothing gone is kept alive. */
    void belongTo(Waiter w) {
        ServerConnection before = w.lastConnection;
        if (before != null && before != this) {
            before.partFromLastWaiter();
        }
        if (lastWaiter != w) {
            partFromLastWaiter();
        }
        lastWaiter = w;
        w.lastConnection = this;
    }

    void partFromLastWaiter() {
        Waiter w = lastWaiter;
        if (w != null && w.lastConnection == this) {
            w.lastConnection = null;
        }
        lastWaiter = null;
    }

    /** Whether it was ever logged in: only then has it an end. */
    boolean wasOpened() {
        return handoutUntil != Long.MAX_VALUE;
    }

    /** On its way to be ready with a slot in hand or promised. */
    boolean isComing() {
        return state.isComing() || slotFrom != null;
    }

    @Override
    public String toString() {
        return "connection " + id + " of " + pool + ", " + state;
    }
}
