package dev.comporta.lease;

/** An instance in the {@link LeaseBook}: the fields of its entry in Redis, under the same names. */
final class BookEntry {
    final String name;
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

    /** As it was when the call that is being carried out came. */
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

    BookEntry copy() {
        BookEntry e = new BookEntry(name);
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
