package dev.comporta.pool;

import dev.comporta.pool.connection.KnownSession;
import dev.comporta.pool.connection.Lifetime;
import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.connection.UseCounts;
import dev.comporta.pool.heap.HeapNode;
import dev.comporta.pool.list.Link;
import dev.comporta.pool.slot.HeldSlot;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.Counters;
import org.jspecify.annotations.Nullable;

/**
 * A server connection as the pool sees it. The carrier attaches its own object by {@link #attach(Object)}. Confined to
 * its bucket's thread.
 */
public final class ServerConnection extends HeapNode {
    /** Whether its login's limit counts it. */
    enum LoginShare {
        NOT_COUNTED,
        COUNTED,
        /** Counted, and being closed because its login has too many. */
        LEAVING
    }

    final Pool pool;
    private final long id;
    private @Nullable Object attachment;

    ConnectionState state = ConnectionState.LEASING;
    /** When it came to its present stage: opening, checking or pinned. */
    long stageSince;
    /** Why it closes or has closed. */
    CloseReason closeReason = CloseReason.NOT_NEEDED;

    final HeldSlot slot = new HeldSlot();
    /** While closing: the connection that gets the slot, if it is closed for that one. */
    @Nullable
    ServerConnection heir;
    /** While leasing: the connection that is being closed for this one. */
    @Nullable
    ServerConnection slotFrom;

    LoginShare loginShare = LoginShare.NOT_COUNTED;

    @Nullable
    Waiter waiter;

    @Nullable
    Waiter lastWaiter;

    @Nullable
    PinReason pinReason;

    long attachedAt;
    /** When it was last handed back, or opened; a validation does not change it. */
    long idleSince;
    /** When the server last answered on it. */
    long heardAt;

    final KnownSession session = new KnownSession();
    final Trial trial = new Trial();
    final Lifetime life;
    final UseCounts counts = new UseCounts();

    /** Its place in the bucket's table of connections. */
    int index;

    final Link<ServerConnection> inStage = new Link<>(this);
    final Link<ServerConnection> inStack = new Link<>(this);
    final Link<ServerConnection> inRest = new Link<>(this);

    ServerConnection(Pool pool, long id, Lifetime life) {
        this.pool = pool;
        this.id = id;
        this.life = life;
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

    /** When its client was pinned for that reason; 0 if it is not pinned. */
    public long pinnedSince() {
        return pinReason == null ? 0 : stageSince;
    }

    /** The client's waiter that has it now. */
    public @Nullable Waiter waiter() {
        return waiter;
    }

    /** Whether the client that has it now is another than the one before: then the session has to be reset. */
    public boolean changedHands() {
        return session.changedHands;
    }

    /** How long no client had it, before the one that has it now. */
    public long idleBefore() {
        return attachedAt - idleSince;
    }

    /** How often it was handed out, this time included: 1 means that the session is as the login left it. */
    public long uses() {
        return counts.uses;
    }

    /** The state of its session as last reported: when it was handed back, or after its login if it was reset since. */
    public @Nullable Object sessionState() {
        return session.state;
    }

    /** Remembers the carrier's own object for this connection. */
    public void attach(Object carriers) {
        attachment = carriers;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    /**
     * Counts a query that was answered. Allocates nothing.
     *
     * @param firstByteNanos the time from sending it to the first byte of its answer
     * @param nanos the time from sending it to the end of its answer
     */
    public void countQuery(long firstByteNanos, long nanos) {
        counts.queries++;
        Counters counters = pool.counters;
        counters.queries++;
        counters.queryNanos += nanos;
        pool.bucket.tallies.firstByte.record(firstByteNanos);
        pool.bucket.tallies.query.record(nanos);
    }

    /** Counts bytes sent to the server. Called with each packet, so that a long transfer shows while it lasts. */
    public void countSent(int bytes) {
        counts.bytesSent += bytes;
        pool.counters.bytesSent += bytes;
    }

    /** Counts bytes received from the server. */
    public void countReceived(int bytes) {
        counts.bytesReceived += bytes;
        pool.counters.bytesReceived += bytes;
    }

    public BucketSnapshot.ConnectionSnapshot snapshot() {
        return Snapshots.of(this);
    }

    /**
     * Makes it this client's last used connection, and clears the previous links of both, so that neither keeps closed
     * objects alive.
     */
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

    /** On its way to be ready, with a slot or with the promise of one. */
    boolean isComing() {
        return state.isComing() || slotFrom != null;
    }

    @Override
    public String toString() {
        return "connection " + id + " of " + pool + ", " + state;
    }
}
