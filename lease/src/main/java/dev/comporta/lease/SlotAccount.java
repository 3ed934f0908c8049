package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import dev.comporta.lease.store.LimitWord;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.SlotAnswers;
import org.jspecify.annotations.Nullable;

/**
 * One instance's account with the store, for one bucket: what it holds, what it asked for, and until when that is valid. A
 * state machine without threads, clock or network: the model checker drives the same code that runs in production.
 *
 * <p>Confined to the bucket's thread. Answers go to {@link SlotAnswers}, which may ask, withdraw or give back while it
 * handles one.
 */
final class SlotAccount {
    /** This instance's standing towards the store. */
    enum Standing {
        IN_TOUCH,
        /** The last call failed. Leased slots are kept; no new ones can be leased. */
        TROUBLED,
        /**
         * The lease expired while the store could not be reached: the instance keeps its fair share, or grows to it after a time.
         */
        FALLBACK,
        /** A newer process runs under the same name. */
        SUPERSEDED
    }

    /** Earlier than any time: the lease is not valid. */
    static final long NEVER = Long.MIN_VALUE;
    /** Later than any time: the lease does not expire. */
    static final long ALWAYS = Long.MAX_VALUE;

    final LeaseTerms terms;

    Standing standing = Standing.IN_TOUCH;
    LeaseCall.Form form = LeaseCall.Form.JOIN;
    long incarnation;
    long seq;
    long acked;
    long seen;
    long returned;

    final SlotAsks asks = new SlotAsks();
    /** Revoked from the bucket, and used by a connection that is still open: the database counts it. */
    int outlived;
    /** Demanded from the bucket and not yet given back. */
    int owed;

    @Nullable
    LeaseCall inFlight;
    /** Whether something has changed that the store must know. */
    boolean news;

    /** When the lease expires, by this instance's own clock. */
    long validUntil = NEVER;

    long troubledSince;

    /** The limit as this instance knows it, and the limit in force as the store last reported it. */
    LimitWord limit;

    int rulingLimit = Integer.MAX_VALUE;
    int fleetSeen;
    int idle;

    SlotAccount(LeaseTerms terms, long incarnation, LimitWord limit) {
        this.terms = terms;
        this.incarnation = incarnation;
        this.limit = limit;
    }

    /** How many slots the store must count for this instance: one for each open connection. */
    int held() {
        return (int) (seen - returned);
    }

    /** How many slots the bucket may use. */
    int usable() {
        return held() - outlived;
    }

    /** The fair share: what an instance may have when the store can't be reached. */
    int fairShare() {
        return Math.min(limit.effective(), rulingLimit) / terms.fleet(fleetSeen);
    }

    void ask(int slots, LeasePort.Patience patience) {
        asks.ask(slots, patience);
        news = true;
    }

    void withdraw(int slots) {
        asks.withdraw(slots);
        news = true;
    }

    void giveBack(int slots) {
        int ours = Math.min(slots, usable());
        owed = Math.max(0, owed - ours);
        outlived -= slots - ours; // these were revoked while they were being given back
        close(slots);
    }

    /** Connections whose slots were revoked are closed. */
    void closeOutlived(int slots) {
        outlived -= slots;
        close(slots);
    }

    private void close(int slots) {
        returned += slots;
        if (standing == Standing.FALLBACK) {
            renew(held()); // slots that the store never granted can't be returned to it
        }
        news = true;
    }

    /**
     * After this call the bucket may use the slots that it holds: called before a client is attached. If the lease has
     * expired during a pause of this process, everything is revoked before anything else happens.
     */
    void enforce(long now, SlotAnswers out) {
        if (now < validUntil || usable() == 0) {
            return;
        }
        switch (standing) {
            case IN_TOUCH, SUPERSEDED -> revoke(usable(), out);
            case TROUBLED, FALLBACK -> {
                if (terms.fallback()) {
                    standing = Standing.FALLBACK;
                    validUntil = ALWAYS;
                    comeDown(out);
                } else {
                    revoke(usable(), out);
                }
            }
        }
    }

    /** {@code max_connections} was changed at runtime. */
    void changeLimit(int max) {
        limit = limit.changedTo(max);
        news = true;
    }

    /** Changes the standing when its time has come. */
    void pump(long now, SlotAnswers out) {
        enforce(now, out);
        switch (standing) {
            case IN_TOUCH -> {}
            case TROUBLED -> whileTroubled(now, out);
            case FALLBACK -> whileInFallback(now, out);
            case SUPERSEDED -> asks.denyAll(out);
        }
    }

    private void whileTroubled(long now, SlotAnswers out) {
        if (now >= troubledSince + terms.timeToLive()) {
            if (terms.fallback()) {
                standing = Standing.FALLBACK;
                validUntil = ALWAYS;
                whileInFallback(now, out);
            } else {
                asks.denyAll(out);
            }
        } else {
            asks.denyAtOnce(out);
        }
    }

    private void whileInFallback(long now, SlotAnswers out) {
        comeDown(out);
        // Not before every other instance's lease must have expired: by then those above their fair share are down to
        // it.
        boolean mayGrow = now >= troubledSince + terms.timeToLive();
        int more = mayGrow ? Math.min(asks.line + asks.atOnce, fairShare() - held()) : 0;
        if (more > 0) {
            renew(held() + more);
            asks.granted(more, out);
        }
        asks.denyAtOnce(out);
    }

    private void comeDown(SlotAnswers out) {
        revoke(usable() - fairShare(), out);
    }

    /** No request waits any more: slots that are still granted go back. */
    void leaveLine(SlotAnswers out) {
        asks.denyAll(out);
        news = true;
    }

    private void revoke(int slots, SlotAnswers out) {
        if (slots > 0) {
            outlived += slots;
            owed = Math.min(owed, usable());
            renew(held());
            out.revoked(slots);
        }
    }

    /** The store's books do not agree with what this instance holds: it registers again, and its earlier calls don't count. */
    private void renew(int holds) {
        if (form != LeaseCall.Form.JOIN || holds > 0) {
            form = LeaseCall.Form.HELLO;
        }
        incarnation++;
        acked = 0;
        seen = holds;
        returned = 0;
        news = true;
    }

    /** The call to be sent now. */
    LeaseCall call(long now) {
        if (inFlight != null) {
            throw new IllegalStateException("One call at a time: " + inFlight);
        }
        news = false;
        asks.sent();
        int fleet = terms.fleet(fleetSeen);
        inFlight = new LeaseCall(
                form,
                incarnation,
                ++seq,
                acked,
                seen,
                returned,
                seen + asks.line,
                asks.atOnce,
                idle,
                limit,
                fleet,
                now);
        return inFlight;
    }

    LeaseCall farewell(long now) {
        return new LeaseCall(
                LeaseCall.Form.BYE, incarnation, ++seq, acked, seen, returned, seen, 0, 0, limit, terms.divisor(), now);
    }

    /** The call in flight was answered. */
    void answered(LeaseReply reply, long now, SlotAnswers out) {
        LeaseCall call = landed();
        boolean current = call.incarnation() == incarnation;
        if (standing == Standing.TROUBLED) {
            standing = Standing.IN_TOUCH;
        }
        troubledSince = now; // the store has answered: fallback no longer grows
        switch (reply.status()) {
            case OK -> {
                if (current) {
                    accepted(call, reply, now, out);
                } else {
                    news = true;
                }
            }
            case AGAIN -> {
                if (current) {
                    renew(held());
                }
            }
            case SUPERSEDED -> superseded(reply, out);
        }
    }

    private void accepted(LeaseCall call, LeaseReply reply, long now, SlotAnswers out) {
        form = LeaseCall.Form.SYNC;
        acked = call.seq();
        standing = Standing.IN_TOUCH;
        long until = call.sentAt() - reply.proofAge() + terms.validFor();
        validUntil = validUntil == ALWAYS ? until : Math.max(validUntil, until);
        fleetSeen = reply.fleet().size();
        rulingLimit = reply.limit();
        limit = limit.heard(reply);
        if (now >= validUntil) {
            // An answer this old grants nothing: the store may have buried this instance meanwhile.
            enforce(now, out);
            news = true;
            return;
        }
        int more = (int) Math.max(0, reply.granted() - seen);
        seen += more;
        asks.answered(call, more, out);
        press(reply.hard(), out);
    }

    private void superseded(LeaseReply reply, SlotAnswers out) {
        if (form == LeaseCall.Form.JOIN) {
            incarnation = reply.incarnation() + 1; // the store's clock went back: no other process has this name yet
            news = true;
            return;
        }
        standing = Standing.SUPERSEDED;
        validUntil = NEVER;
        revoke(usable(), out);
        asks.denyAll(out);
    }

    /** An announcement of the store: it granted slots, or demands some. */
    void announced(long toIncarnation, long granted, int hard, long now, SlotAnswers out) {
        boolean relevant = toIncarnation == incarnation && form == LeaseCall.Form.SYNC;
        if (!relevant || standing == Standing.FALLBACK || standing == Standing.SUPERSEDED) {
            return;
        }
        if (now >= validUntil) {
            enforce(now, out);
            return;
        }
        int more = (int) Math.max(0, granted - seen);
        if (more > 0) {
            seen += more;
            asks.granted(more, out);
        }
        press(hard, out);
    }

    private void press(int hard, SlotAnswers out) {
        // Revoked slots are being given up already.
        demand(Math.min(hard - outlived, usable()) - owed, out);
    }

    /** Makes the bucket give up this many more slots. */
    void demand(int slots, SlotAnswers out) {
        if (slots > 0) {
            owed += slots;
            out.demanded(slots);
        }
    }

    /** The call in flight failed or timed out. The store may have carried it out anyway. */
    void failed(long now, SlotAnswers out) {
        LeaseCall call = landed();
        news = true;
        // After a pause calls time out too. If the lease expired during the pause, other instances may have the slots.
        enforce(now, out);
        if (call.incarnation() == incarnation && form != LeaseCall.Form.SYNC) {
            // The failed registration may have arrived, its grants may have been announced, and the entry may have been
            // buried since: then those announcements must not be taken for those of the next registration.
            renew(held());
        }
        if (standing == Standing.IN_TOUCH) {
            standing = Standing.TROUBLED;
            troubledSince = now;
        }
        pump(now, out);
    }

    private LeaseCall landed() {
        LeaseCall call = inFlight;
        if (call == null) {
            throw new IllegalStateException("No call was made");
        }
        inFlight = null;
        return call;
    }
}
