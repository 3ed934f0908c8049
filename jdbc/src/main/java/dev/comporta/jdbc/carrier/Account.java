package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Opener;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A login at a server: one pool of the core. Two accounts never share connections, whatever their names. Any thread. */
public final class Account {
    private final String name;
    private final Opener opener;
    private final LongAdder parkedLoans = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private volatile @Nullable SQLException lastFailure;
    /** Written under the carrier's lock. */
    private volatile boolean retired;

    /** @param name the login's name, by which statistics, limits and turns count */
    public Account(String name, Opener opener) {
        this.name = name;
        this.opener = opener;
    }

    public String name() {
        return name;
    }

    public Opener opener() {
        return opener;
    }

    /** Why the latest opening failed; null if it succeeded. */
    public @Nullable SQLException lastFailure() {
        return lastFailure;
    }

    /** Loans that the core does not count, because a parked connection was lent again. */
    public long parkedLoans() {
        return parkedLoans.sum();
    }

    /** Requests that left the queue because their wait timed out. */
    public long timeouts() {
        return timeouts.sum();
    }

    /** Whether the account was removed: no client gets a connection of it any more. */
    public boolean isRetired() {
        return retired;
    }

    void retire() {
        retired = true;
    }

    void timedOut() {
        timeouts.increment();
    }

    void lentAgain() {
        parkedLoans.increment();
    }

    void opened() {
        lastFailure = null;
    }

    void failed(SQLException why) {
        lastFailure = why;
    }

    @Override
    public String toString() {
        return name;
    }
}
