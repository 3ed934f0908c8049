package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.Refusal;
import java.util.Arrays;

/**
 * Orders that are made and not given yet. They are given when the books are settled, so an event that is reported from
 * inside an order finds a settled bucket. Calls to the lease store are orders too. The arrays are reused: once the ring
 * is large enough, an order allocates nothing.
 */
final class OrderRing implements LeasePort {
    private enum Kind {
        ATTACH,
        REFUSE,
        OPEN,
        CLOSE,
        RESET,
        VALIDATE,
        ASK,
        WITHDRAW,
        GIVE_BACK,
        REVOKED_ARE_CLOSED,
        ASK_CONNECTS,
        WARMED_UP,
        HEALTH_CHANGED,
        ROOM_CHANGED,
        QUIESCED,
        DRAINED
    }

    /** Stands where an order has no object, so that the arrays hold no null. */
    private static final Object NOTHING = new Object();

    private final Bucket bucket;
    private final Orders orders;
    private final LeasePort leases;

    private Kind[] kinds = new Kind[16];
    private Object[] whom = new Object[16];
    private Object[] what = new Object[16];
    private int[] counts = new int[16];
    private int head;
    private int size;
    private boolean giving;

    OrderRing(Bucket bucket, Orders orders, LeasePort leases) {
        this.bucket = bucket;
        this.orders = orders;
        this.leases = leases;
        Arrays.fill(kinds, Kind.DRAINED);
        Arrays.fill(whom, NOTHING);
        Arrays.fill(what, NOTHING);
    }

    void attach(Waiter w, ServerConnection c) {
        add(Kind.ATTACH, w, c, 0);
    }

    void refuse(Waiter w, Refusal why) {
        add(Kind.REFUSE, w, why, 0);
    }

    void open(ServerConnection c) {
        add(Kind.OPEN, c, NOTHING, 0);
    }

    void close(ServerConnection c, CloseReason why) {
        add(Kind.CLOSE, c, why, 0);
    }

    void reset(ServerConnection c) {
        add(Kind.RESET, c, NOTHING, 0);
    }

    void validate(ServerConnection c, HealthSettings.Check how) {
        add(Kind.VALIDATE, c, how, 0);
    }

    @Override
    public int ask(int slots, Patience patience) {
        add(Kind.ASK, patience, NOTHING, slots);
        return 0;
    }

    @Override
    public void withdraw(int slots) {
        add(Kind.WITHDRAW, NOTHING, NOTHING, slots);
    }

    @Override
    public void giveBack(int slots) {
        add(Kind.GIVE_BACK, NOTHING, NOTHING, slots);
    }

    @Override
    public void revokedAreClosed(int slots) {
        add(Kind.REVOKED_ARE_CLOSED, NOTHING, NOTHING, slots);
    }

    @Override
    public int askConnects(int connects) {
        add(Kind.ASK_CONNECTS, NOTHING, NOTHING, connects);
        return 0;
    }

    void warmedUp(Pool pool, int ready, int wanted) {
        add(Kind.WARMED_UP, pool, ready, wanted);
    }

    void healthChanged(HealthState health) {
        add(Kind.HEALTH_CHANGED, health, NOTHING, 0);
    }

    void roomChanged(boolean full) {
        add(Kind.ROOM_CHANGED, full, NOTHING, 0);
    }

    /** @param pauses how many pauses there have been, this one included */
    void quiesced(long pauses) {
        add(Kind.QUIESCED, pauses, NOTHING, 0);
    }

    void drained() {
        add(Kind.DRAINED, NOTHING, NOTHING, 0);
    }

    private void add(Kind kind, Object about, Object detail, int count) {
        if (size == kinds.length) {
            grow();
        }
        int i = (head + size++) & (kinds.length - 1);
        kinds[i] = kind;
        whom[i] = about;
        what[i] = detail;
        counts[i] = count;
    }

    private void grow() {
        int old = kinds.length;
        Kind[] moreKinds = new Kind[2 * old];
        Object[] moreWhom = new Object[2 * old];
        Object[] moreWhat = new Object[2 * old];
        int[] moreCounts = new int[2 * old];
        Arrays.fill(moreKinds, Kind.DRAINED);
        Arrays.fill(moreWhom, NOTHING);
        Arrays.fill(moreWhat, NOTHING);
        for (int i = 0; i < old; i++) {
            int from = (head + i) & (old - 1);
            moreKinds[i] = kinds[from];
            moreWhom[i] = whom[from];
            moreWhat[i] = what[from];
            moreCounts[i] = counts[from];
        }
        kinds = moreKinds;
        whom = moreWhom;
        what = moreWhat;
        counts = moreCounts;
        head = 0;
    }

    /** Gives the orders. An event that is reported from inside an order adds its own orders to the round under way. */
    void give() {
        if (giving || size == 0) {
            return;
        }
        giving = true;
        try {
            while (size > 0) {
                giveFirst();
            }
        } finally {
            giving = false;
        }
    }

    /** Whether an order threw an exception, so that the orders after it wait for the next event. */
    boolean isHeldUp() {
        return size > 0 && !giving;
    }

    private void giveFirst() {
        int i = head;
        Kind kind = kinds[i];
        Object about = whom[i];
        Object detail = what[i];
        int count = counts[i];
        whom[i] = NOTHING;
        what[i] = NOTHING;
        head = (head + 1) & (kinds.length - 1);
        size--;
        switch (kind) {
            case ATTACH -> orders.attach((Waiter) about, (ServerConnection) detail);
            case REFUSE -> orders.refuse((Waiter) about, (Refusal) detail);
            case OPEN -> orders.open((ServerConnection) about);
            case CLOSE -> orders.close((ServerConnection) about, (CloseReason) detail);
            case RESET -> orders.reset((ServerConnection) about);
            case VALIDATE -> orders.validate((ServerConnection) about, (HealthSettings.Check) detail);
            case ASK -> {
                int granted = leases.ask(count, (Patience) about);
                if (granted > 0) {
                    bucket.leaseEvents().granted(granted, bucket.now());
                }
            }
            case WITHDRAW -> leases.withdraw(count);
            case GIVE_BACK -> leases.giveBack(count);
            case REVOKED_ARE_CLOSED -> leases.revokedAreClosed(count);
            case ASK_CONNECTS -> {
                int allowed = leases.askConnects(count);
                if (allowed > 0) {
                    bucket.leaseEvents().connectsAllowed(allowed, bucket.now());
                }
            }
            case WARMED_UP -> orders.warmedUp((Pool) about, (Integer) detail, count);
            case HEALTH_CHANGED -> orders.healthChanged(bucket, (HealthState) about);
            case ROOM_CHANGED -> orders.roomChanged(bucket, (Boolean) about);
            case QUIESCED -> {
                // An event from inside an earlier order may have ended that pause, and begun another.
                if (bucket.isInPause((Long) about)) {
                    orders.quiesced(bucket);
                }
            }
            case DRAINED -> orders.drained(bucket);
        }
    }
}
