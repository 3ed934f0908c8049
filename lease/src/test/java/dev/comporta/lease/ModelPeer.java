package dev.comporta.lease;

import org.jspecify.annotations.Nullable;

/** One instance, and what is on its way between it and the store. */
final class ModelPeer implements SlotAccount.Answers {
    final String name;

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

    LeaseBook.@Nullable Announcement note;
    int outstanding;
    /** Of the process that follows a crash. */
    long nextIncarnation;

    ModelPeer(String name) {
        this.name = name;
    }

    ModelPeer copy() {
        ModelPeer p = new ModelPeer(name);
        p.account = account == null ? null : copy(account);
        p.paused = paused;
        p.cut = cut;
        p.request = request;
        p.reply = reply;
        p.ghost = ghost;
        p.note = note;
        p.outstanding = outstanding;
        p.nextIncarnation = nextIncarnation;
        return p;
    }

    boolean isAwake() {
        return account != null && !paused;
    }

    SlotAccount account() {
        return java.util.Objects.requireNonNull(account);
    }

    @Override
    public void granted(int slots) {
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
    public void revoked(int slots) {}

    @Override
    public void demanded(int slots) {}

    private static SlotAccount copy(SlotAccount a) {
        SlotAccount c = new SlotAccount(a.terms, a.incarnation, a.limit);
        c.standing = a.standing;
        c.form = a.form;
        c.seq = a.seq;
        c.acked = a.acked;
        c.seen = a.seen;
        c.returned = a.returned;
        c.line = a.line;
        c.untold = a.untold;
        c.atOnce = a.atOnce;
        c.withdrawing = a.withdrawing;
        c.owed = a.owed;
        c.inFlight = a.inFlight;
        c.untoldInFlight = a.untoldInFlight;
        c.withdrawingInFlight = a.withdrawingInFlight;
        c.news = a.news;
        c.validUntil = a.validUntil;
        c.troubledSince = a.troubledSince;
        c.rulingLimit = a.rulingLimit;
        c.fleetSeen = a.fleetSeen;
        c.idle = a.idle;
        return c;
    }
}
