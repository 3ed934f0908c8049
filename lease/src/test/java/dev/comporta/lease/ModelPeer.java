package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.pool.lease.LeasePort.Patience;
import dev.comporta.pool.lease.SlotAnswers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One instance, its bucket, and what is on its way between it and the store. */
final class ModelPeer implements SlotAnswers {
    final String name;
    private final ModelWorld world;

    @Nullable
    SlotAccount account;

    boolean paused;
    boolean cut;
    /** Not carried out yet. */
    @Nullable
    LeaseCall request;
    /** Carried out; the answer is on its way. */
    @Nullable
    LeaseReply reply;
    /** Given up by its sender, and not carried out yet. */
    @Nullable
    LeaseCall ghost;

    /** The request has read the book, and not written it. */
    @Nullable
    ModelDraft draft;
    /** The same of the ghost: its write is on its way. */
    @Nullable
    ModelDraft ghostDraft;
    /** When the last proof was sent that its entry is believed by, in a store that keeps beats apart. */
    long provenAt = SlotAccount.NEVER;

    LeaseBook.@Nullable Announcement note;
    /** Slots the bucket asked for and has no answer about. */
    int outstanding;
    /** Connections that nobody has used for a while. */
    int idle;
    /** Connections whose slots were revoked and whose clients are not done. */
    int outlived;

    final IdleDemand demand;
    /** Of the process that follows a crash. */
    long nextIncarnation;

    ModelPeer(String name, ModelWorld world) {
        this.name = name;
        this.world = world;
        // Who still waits says so again every tick; how often to look is too fine for a model.
        demand = new IdleDemand(ModelWorld.TICK, 0);
    }

    /** Whether a beat that is answered now proves anything: not if the lease has ended before. */
    boolean isProven() {
        return provenAt != SlotAccount.NEVER && world.now - provenAt < world.setting.validFor() * ModelWorld.TICK;
    }

    /** Its sender is gone, or waits no longer. A call that has not read the book is gone with it. */
    void becomesGhost() {
        boolean isOnItsWay = !world.apart || draft != null;
        ghost = isOnItsWay ? request : null;
        ghostDraft = draft;
    }

    boolean isAwake() {
        return account != null && !paused;
    }

    SlotAccount account() {
        return Objects.requireNonNull(account);
    }

    int busy() {
        return account().usable() - idle;
    }

    void start(long incarnation) {
        account = world.newAccount(incarnation);
    }

    /** The process is gone, and what was on its way to it. */
    void vanish() {
        nextIncarnation = account().incarnation + 3;
        account = null;
        request = null;
        draft = null;
        provenAt = SlotAccount.NEVER;
        reply = null;
        note = null;
        outstanding = 0;
        idle = 0;
        outlived = 0;
        demand.heard(0, world.now);
        paused = false;
    }

    /** As the bucket's loop does before and after every event. */
    void pump() {
        SlotAccount a = account();
        a.pump(world.now, this);
        if (world.pressing) {
            payDebts();
            if (demand.isDue(world.now)) {
                a.demand(demand.take(idle, a.owed, world.now), this);
            }
        }
    }

    private void payDebts() {
        SlotAccount a = account();
        while (a.owed > 0 && idle > 0) {
            idle--;
            a.giveBack(1);
        }
    }

    /** An announcement that tells nothing new, nor ever will, is as good as none. */
    void forgetOldNews() {
        LeaseBook.Announcement n = note;
        SlotAccount a = account;
        boolean matters = n != null
                && a != null
                && n.incarnation() == a.incarnation
                && (n.granted() > a.seen || (world.pressing && n.soft() + n.hard() > 0));
        note = matters ? n : null;
        if (!matters && n != null && isAwake()) {
            isIgnored(account(), n);
        }
    }

    private void isIgnored(SlotAccount a, LeaseBook.Announcement n) {
        long seen = a.seen;
        int owed = a.owed;
        a.announced(n.incarnation(), n.granted(), world.pressing ? n.hard() : 0, world.now, this);
        if (a.seen != seen || a.owed != owed) {
            throw new AssertionError(name + " takes an announcement for one that is not for it, or not any more");
        }
    }

    /** Wants a connection: idle ones are used before that. */
    void ask(Patience patience) {
        idle = 0;
        account().ask(1, patience);
        outstanding++;
    }

    /** A client is done with its connection: another one that waits here has it next, as long as it is not owed. */
    void done() {
        SlotAccount a = account();
        if (a.owed > 0) {
            a.giveBack(1);
        } else if (a.asks.line > 0) {
            a.withdraw(1);
        } else {
            idle++;
        }
    }

    void closeOutlived(int connections) {
        if (connections > 0) {
            outlived -= connections;
            account().closeOutlived(connections);
        }
    }

    @Override
    public void granted(int slots) {
        if (world.now >= account().validUntil) {
            throw new AssertionError(name + " is handed slots after its lease has ended");
        }
        world.moves += slots;
        outstanding -= Math.min(slots, outstanding);
    }

    @Override
    public void queued(int slots) {}

    @Override
    public void denied(int slots) {
        settle(slots);
    }

    @Override
    public void withdrawn(int slots) {
        settle(slots);
    }

    private void settle(int slots) {
        outstanding -= slots;
        if (outstanding < 0) {
            throw new AssertionError(name + " was answered more than it asked");
        }
    }

    @Override
    public void revoked(int slots) {
        world.moves += slots;
        int unused = Math.min(slots, idle);
        idle -= unused;
        outlived += slots;
        closeOutlived(world.outliving ? unused : slots);
    }

    @Override
    public void demanded(int slots) {
        if (account().owed > account().held()) {
            throw new AssertionError(name + " is to give up more than it holds");
        }
        payDebts();
    }
}
