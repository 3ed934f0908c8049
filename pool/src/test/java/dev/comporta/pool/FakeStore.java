package dev.comporta.pool;

/** A lease store that answers when it is told to, and keeps its own account of what it gave. */
final class FakeStore implements LeasePort {
    /** Given and not back, those revoked apart. */
    int held;
    /** Revoked, and under a connection that is not closed yet. */
    int revoked;

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

    int unanswered() {
        return askedAtOnce + askedInLine;
    }

    int outstanding() {
        return unanswered() + inLine + withdrawn;
    }

    @Override
    public void ask(Bucket bucket, int slots, Patience patience) {
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
            answer(bucket);
        }
    }

    /** Answers all that was asked: grants what is there, queues who is patient, denies the rest. */
    void answer(Bucket bucket) {
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
        long now = bucket.now();
        if (grants > 0) {
            bucket.slotsGranted(grants, now);
        }
        if (queued > 0) {
            bucket.slotsQueued(queued, now);
        }
        if (denied > 0) {
            bucket.slotsDenied(denied, now);
        }
    }

    /** Grants one to who stands in line, withdrawn or not: news may cross. */
    void grantFromLine(Bucket bucket, boolean evenWithdrawn) {
        if (inLine > 0) {
            inLine--;
        } else if (evenWithdrawn && withdrawn > 0) {
            withdrawn--;
        } else {
            return;
        }
        held++;
        bucket.slotsGranted(1, bucket.now());
    }

    void confirmWithdrawn(Bucket bucket) {
        if (withdrawn > 0) {
            int n = withdrawn;
            withdrawn = 0;
            bucket.slotsWithdrawn(n, bucket.now());
        }
    }

    /** The line is dissolved, as when the store can't be reached any more. */
    void denyLine(Bucket bucket) {
        if (inLine > 0) {
            int n = inLine;
            inLine = 0;
            bucket.slotsDenied(n, bucket.now());
        }
    }

    void revoke(Bucket bucket, int n) {
        held -= n;
        revoked += n;
        bucket.slotsRevoked(n, bucket.now());
    }

    @Override
    public void withdraw(Bucket bucket, int slots) {
        // A grant to the line that the bucket took for the answer to an ask leaves the ask to be withdrawn.
        Observer.check(slots > 0 && slots <= inLine + unanswered(), "withdrew %d of %d", slots, inLine + unanswered());
        int rest = slots - Math.min(slots, inLine);
        inLine -= slots - rest;
        int fromPatient = Math.min(rest, askedInLine);
        askedInLine -= fromPatient;
        askedAtOnce -= rest - fromPatient;
        withdrawn += slots;
        if (answersInline) {
            confirmWithdrawn(bucket);
        }
    }

    @Override
    public void giveBack(Bucket bucket, int slots) {
        Observer.check(slots > 0 && slots <= held + revoked, "gave back %d of %d and %d", slots, held, revoked);
        int ours = Math.min(slots, held);
        held -= ours;
        revoked -= slots - ours; // its return crossed the news that it is over
    }

    @Override
    public void revokedAreClosed(Bucket bucket, int slots) {
        Observer.check(slots > 0 && slots <= revoked, "closed %d of %d that are revoked", slots, revoked);
        revoked -= slots;
    }
}
