package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LeasedBucket;

/** A lease store that answers when it is told to, and keeps its own account of what it gave. */
final class FakeStore implements LeasePort {
    /** Given and not back, those revoked apart. */
    int held;
    /** Revoked, and under a connection that is not closed yet. */
    int revoked;

    /** What the bucket has asked and told so far. */
    long calls;
    /** Takes the answers. */
    LeasedBucket bucket;

    int askedAtOnce;
    int askedInLine;
    int inLine;
    int withdrawn;
    /** Slots the rest of the fleet leaves us. */
    int available = Integer.MAX_VALUE;
    /** Settings changed while asks and opens made under the old ones were on their way. */
    boolean lenient;
    /** Grants or denies from inside the call. */
    boolean answersInline;
    /** Answered so, of what the present event asked: the bucket may have gone by an ask that was still open then. */
    int answeredInside;

    /** Whether connects need permits. */
    boolean metered;
    /** Permits that were asked for and are not granted yet. */
    int connectsAsked;
    /** Permits that were granted, used ones not among them. */
    int permitted;

    int unanswered() {
        return askedAtOnce + askedInLine;
    }

    int outstanding() {
        return unanswered() + inLine + withdrawn;
    }

    @Override
    public int ask(int slots, Patience patience) {
        calls++;
        Observer.check(slots > 0, "asked for nothing");
        Observer.check(
                lenient || held + outstanding() + slots <= bucket.settings().maxConnections(),
                "asked beyond the limit: holds %d, outstanding %d, asks %d",
                held,
                outstanding(),
                slots);
        if (patience == Patience.IN_LINE) {
            askedInLine += slots;
        } else {
            askedAtOnce += slots;
        }
        if (answersInline) {
            answeredInside += unanswered();
            answer();
        }
        return 0;
    }

    /** Answers all that was asked: grants what is there, queues who is patient, denies the rest. */
    void answer() {
        int grants = Math.min(available - Math.min(available, held), unanswered());
        int first = Math.min(grants, askedInLine);
        int second = grants - first;
        askedInLine -= first;
        askedAtOnce -= second;
        held += grants;
        int queued = askedInLine;
        inLine += queued;
        askedInLine = 0;
        int denied = askedAtOnce;
        askedAtOnce = 0;
        if (grants > 0) {
            bucket.granted(grants);
        }
        if (queued > 0) {
            bucket.queued(queued);
        }
        if (denied > 0) {
            bucket.denied(denied);
        }
    }

    /** Grants one to who stands in line, withdrawn or not: news may cross. */
    void grantFromLine(boolean evenWithdrawn) {
        if (inLine > 0) {
            inLine--;
        } else if (evenWithdrawn && withdrawn > 0) {
            withdrawn--;
        } else {
            return;
        }
        held++;
        bucket.granted(1);
    }

    void confirmWithdrawn() {
        if (withdrawn > 0) {
            int n = withdrawn;
            withdrawn = 0;
            bucket.withdrawn(n);
        }
    }

    /** The line is dissolved, as when the store can't be reached any more. */
    void denyLine() {
        if (inLine > 0) {
            int n = inLine;
            inLine = 0;
            bucket.denied(n);
        }
    }

    void revoke(int n) {
        held -= n;
        revoked += n;
        bucket.revoked(n);
    }

    @Override
    public void withdraw(int slots) {
        calls++;
        // A grant to the line that the bucket took for the answer to an ask leaves the ask to be withdrawn.
        Observer.check(slots > 0 && slots <= inLine + unanswered(), "withdrew %d of %d", slots, inLine + unanswered());
        int rest = slots - Math.min(slots, inLine);
        inLine -= slots - rest;
        int fromPatient = Math.min(rest, askedInLine);
        askedInLine -= fromPatient;
        askedAtOnce -= rest - fromPatient;
        withdrawn += slots;
        if (answersInline) {
            confirmWithdrawn();
        }
    }

    @Override
    public void giveBack(int slots) {
        calls++;
        Observer.check(slots > 0 && slots <= held + revoked, "gave back %d of %d and %d", slots, held, revoked);
        int ours = Math.min(slots, held);
        held -= ours;
        revoked -= slots - ours; // its return crossed the news that it is over
    }

    @Override
    public void revokedAreClosed(int slots) {
        calls++;
        Observer.check(slots > 0 && slots <= revoked, "closed %d of %d that are revoked", slots, revoked);
        revoked -= slots;
    }

    @Override
    public boolean metersConnects() {
        return metered;
    }

    @Override
    public int askConnects(int connects) {
        calls++;
        Observer.check(connects > 0, "asked for no permits");
        if (answersInline) {
            permitted += connects;
            return connects;
        }
        connectsAsked += connects;
        return 0;
    }

    void permit(int connects) {
        if (connects > 0) {
            connectsAsked -= connects;
            permitted += connects;
            bucket.connectsAllowed(connects);
        }
    }
}
