package dev.comporta.lease;

/** An instance in the {@link LeaseBook}: the fields of its entry in the store, under the same names. */
final class BookEntry {
    final String name;
    /** The process that wrote it, whose beats keep it alive if the store keeps beats outside of the books. */
    String process = "";

    long incarnation;
    long seq;
    long granted;
    long returned;
    long asked;
    long ticket;
    long since;
    long until;
    long epoch;
    int idle;
    long idleAt;
    int limit;
    long version;
    int fleet;
    int soft;
    int hard;
    int toldSoft;
    int toldHard;
    long toldAt;

    /** {@link #granted} before the present call. */
    long grantedBefore;

    BookEntry(String name) {
        this.name = name;
    }

    int held() {
        return (int) (granted - returned);
    }

    int waiting() {
        return (int) Math.max(0, asked - granted);
    }

    /** Whether the stored fields are equal, apart from the number of idle connections and of the call. */
    boolean isStoredAs(BookEntry o) {
        return name.equals(o.name)
                && process.equals(o.process)
                && incarnation == o.incarnation
                && granted == o.granted
                && returned == o.returned
                && waiting() == o.waiting()
                && ticket == o.ticket
                && epoch == o.epoch
                && limit == o.limit
                && version == o.version
                && fleet == o.fleet;
    }

    BookEntry copy() {
        BookEntry e = new BookEntry(name);
        e.process = process;
        e.incarnation = incarnation;
        e.seq = seq;
        e.granted = granted;
        e.returned = returned;
        e.asked = asked;
        e.ticket = ticket;
        e.since = since;
        e.until = until;
        e.epoch = epoch;
        e.idle = idle;
        e.idleAt = idleAt;
        e.limit = limit;
        e.version = version;
        e.fleet = fleet;
        e.soft = soft;
        e.hard = hard;
        e.toldSoft = toldSoft;
        e.toldHard = toldHard;
        e.toldAt = toldAt;
        return e;
    }
}
