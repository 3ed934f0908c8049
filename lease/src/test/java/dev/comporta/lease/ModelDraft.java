package dev.comporta.lease;

/**
 * A book that an instance has read, in a store that only compares and sets, and not yet written: all that it can't find out from
 * the book as it is now. If somebody else has written meanwhile there is nothing left of it, since it can't be written any more.
 * Beats are no writes: what was decided by older ones stays decided.
 *
 * @param readAt when it was read
 * @param opens as it was then
 * @param untils of each instance, as it was then; 0 for one that was not there
 */
record ModelDraft(long readAt, long opens, long[] untils) {
    static ModelDraft of(ModelWorld w) {
        long[] untils = new long[w.peers.length];
        for (int i = 0; i < untils.length; i++) {
            BookEntry e = w.book.of(w.peers[i].name);
            untils[i] = e == null ? 0 : e.until;
        }
        return new ModelDraft(w.now, w.book.opens, untils);
    }

    /** The book as it was read. */
    LeaseBook book(ModelWorld w) {
        LeaseBook book = w.book.copy();
        book.opens = opens;
        book.closed = opens > readAt;
        for (int i = 0; i < untils.length; i++) {
            BookEntry e = book.of(w.peers[i].name);
            if (e != null) {
                e.until = untils[i];
            }
        }
        return book;
    }

    /**
     * The book as it is after the write: whoever sees it counts from now, and beats that came meanwhile count as well.
     *
     * @param decided by what was read
     */
    LeaseBook written(ModelWorld w, LeaseBook decided) {
        long ttl = w.setting.ttl() * ModelWorld.TICK;
        for (int i = 0; i < untils.length; i++) {
            BookEntry e = decided.of(w.peers[i].name);
            BookEntry now = w.book.of(w.peers[i].name);
            if (e != null) {
                boolean isRenewed = now == null || now.incarnation != e.incarnation || e.until != untils[i];
                e.until = isRenewed ? w.now + ttl : now.until;
            }
        }
        if (decided.opens == opens) {
            decided.opens = w.book.opens;
        } else if (decided.opens > readAt) {
            decided.opens = w.now + ttl;
        }
        return decided;
    }
}
