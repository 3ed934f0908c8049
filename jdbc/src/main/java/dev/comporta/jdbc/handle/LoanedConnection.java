package dev.comporta.jdbc.handle;

import dev.comporta.jdbc.session.Session;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Wrapper;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection as long as it is on loan. The loan ends with {@link #close}, which gives the physical connection back; after that
 * every call fails with SQLState 08003, even if another client has the physical connection by then.
 */
public abstract class LoanedConnection implements Connection {
    private static final Logger log = LoggerFactory.getLogger(LoanedConnection.class);

    private static final VarHandle SESSION;

    static {
        try {
            SESSION = MethodHandles.lookup().findVarHandle(LoanedConnection.class, "session", Session.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null after the loan. */
    private volatile @Nullable Session session;

    private final Returns returns;
    private final LeakWatch.@Nullable Loan loan;

    LoanedConnection(Session session, Returns returns, LeakWatch.@Nullable Loan loan) {
        this.session = session;
        this.returns = returns;
        this.loan = loan;
    }

    final Session session() throws SQLException {
        Session open = session;
        if (open == null) {
            throw new SQLNonTransientConnectionException(
                    "the connection is closed: it was returned to its pool, get another one", "08003");
        }
        return open;
    }

    /** The driver's connection, for what {@link Delegation} adds. */
    final Wrapper delegate() throws SQLException {
        return session().connection();
    }

    final SQLException failed(SQLException e) {
        Session open = session;
        return open == null ? e : open.failed(e);
    }

    final void used() {
        Session open = session;
        if (open != null) {
            open.used();
        }
    }

    final void ran(String sql) {
        Session open = session;
        if (open != null) {
            open.ran(sql);
        }
    }

    final void queried(long nanos) {
        Session open = session;
        if (open != null) {
            open.queried(nanos);
        }
    }

    final void outOfSight() {
        Session open = session;
        if (open != null) {
            open.outOfSight();
        }
    }

    /** The client gets an object of the driver's own that may query the server at any time: a large object, an array. */
    final void handedOut() {
        Session open = session;
        if (open != null) {
            open.handedOut();
        }
    }

    /**
     * Remembers an object that must be closed with the loan: the driver's, so that the compiler need not allocate the handle.
     *
     * @param open the session that it was made on
     * @throws SQLException if another thread has ended the loan meanwhile; then it is closed
     */
    @SuppressWarnings("ReferenceEquality") // the very session
    final void track(Session open, AutoCloseable opened) throws SQLException {
        open.track(opened);
        if (session != open) { // the end of the loan may have come before it was tracked
            if (open.untrack(opened)) {
                open.close(opened);
            }
            session();
        }
    }

    /** @return whether the caller must close it: the thread that ends the loan closes what is still open */
    final boolean untrack(AutoCloseable opened) {
        Session open = session;
        return open != null && open.untrack(opened);
    }

    // The end of the loan.

    @Override
    public final void close() {
        Session open = (Session) SESSION.getAndSet(this, null);
        if (open != null) {
            if (loan != null) {
                loan.end();
            }
            try {
                leave(open);
            } finally {
                returns.giveBack(open);
            }
        }
    }

    private static void leave(Session open) {
        open.closeStatements();
        if (open.isLost()) {
            return;
        }
        try {
            open.connection().clearWarnings();
            open.connection().endRequest();
        } catch (SQLException e) {
            open.failed(e);
        } catch (RuntimeException | Error e) {
            log.warn("the driver threw from clearWarnings or endRequest: closing the connection", e);
            open.lose();
        }
    }

    @Override
    public final boolean isClosed() {
        return session == null;
    }

    /** Ends the connection without waiting for the server. The pool opens another. */
    @Override
    public final void abort(Executor executor) throws SQLException {
        Session open = (Session) SESSION.getAndSet(this, null);
        if (open == null) {
            return; // JDBC: no effect on a closed connection
        }
        if (loan != null) {
            loan.end();
        }
        try {
            open.connection().abort(executor);
        } finally {
            open.lose();
            returns.giveBack(open);
        }
    }

    @Override
    public final boolean isValid(int timeout) throws SQLException {
        if (timeout < 0) {
            throw new SQLException("timeout is " + timeout + ": set 0 or more seconds", "22023");
        }
        Session open = session;
        if (open == null) {
            return false;
        }
        boolean valid;
        try {
            open.used();
            valid = open.connection().isValid(timeout);
        } catch (SQLException e) {
            throw open.failed(e);
        }
        if (!valid) {
            open.lose();
        }
        return valid;
    }

    // The driver's own.

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        Connection ofDriver = session().connection();
        outOfSight();
        return type.isInstance(ofDriver) ? type.cast(ofDriver) : ofDriver.unwrap(type);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) throws SQLException {
        Connection ofDriver = session().connection();
        return type.isInstance(ofDriver) || ofDriver.isWrapperFor(type);
    }

    @Override
    public final String toString() {
        Session open = session;
        return open == null
                ? "a connection returned to its pool"
                : open.connection().toString();
    }
}
