package dev.comporta.jdbc.session;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.socket.ServerEnd;
import dev.comporta.pool.settings.HealthSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A physical connection and what its client left on it. Belongs to one thread at a time: to the client that has it on loan, or
 * to the virtual thread that resets or checks it; the carrier's lock passes it on. {@link #close} and {@link #abort} may come
 * from any thread.
 */
public final class Session {
    private static final Logger log = LoggerFactory.getLogger(Session.class);

    private final Connection connection;
    private final Dialect dialect;
    private final LossRule lossRule;
    private final SessionDefaults defaults;
    private final String healthQuery;
    private final StatementRules statements;
    private final ServerEnd end;
    private final Changes changes;

    /** One object, so that threads of one client can't take the verdict on a text for that on another. */
    private record Judged(String text, PlainSql verdict) {}

    private final OpenStatements open = new OpenStatements();
    private boolean autoCommit;
    private boolean inTransaction;
    /** The state that texts of this loan may have left and JDBC does not show. */
    private PlainSql left = PlainSql.LEAVES_NOTHING;
    /** The text judged last: applications run the same constants again and again. */
    private Judged judged = new Judged("", PlainSql.UNKNOWN);

    /** Whether the client has objects of the driver's own that query the server when they are used. */
    private boolean handedOut;

    private final boolean usualAutoCommit;
    /** Null where the dialect does not need it, or there is none. */
    private final @Nullable String usualCatalog;
    /** SQL texts that restore what the driver has set at the login and a reset does not keep. */
    private final List<String> usualVariables;

    /** Also set by the client's other threads: a statement may be cancelled from outside. */
    private volatile boolean lost;

    private @Nullable Object place;
    private long period;
    private long lentAt;

    /** Written by the thread that has the session, read by statistics. */
    private final AtomicLong loans = new AtomicLong();

    private final AtomicLong queries = new AtomicLong();

    Session(
            Connection connection,
            Dialect dialect,
            LossRule lossRule,
            SessionDefaults defaults,
            String healthQuery,
            StatementRules statements,
            ServerEnd end)
            throws SQLException {
        this.connection = connection;
        this.dialect = dialect;
        changes = new Changes(dialect);
        this.lossRule = lossRule;
        this.defaults = defaults;
        this.healthQuery = healthQuery;
        this.statements = statements;
        this.end = end;
        defaults.applyTo(connection);
        autoCommit = connection.getAutoCommit();
        usualAutoCommit = autoCommit;
        usualCatalog = dialect.resetKeepsCatalog() ? connection.getCatalog() : null;
        usualVariables = dialect.variablesOfLogin(connection);
    }

    public Connection connection() {
        return connection;
    }

    public Dialect dialect() {
        return dialect;
    }

    /** Remembers the carrier's own object for this session. */
    public void belongTo(Object carriers) {
        place = carriers;
    }

    public @Nullable Object place() {
        return place;
    }

    /** Sets the carrier's period in which it was lent; see there. */
    public void lentIn(long period) {
        this.period = period;
    }

    public long period() {
        return period;
    }

    /** When its loan began, in {@link System#nanoTime}. */
    public void lentAt(long nanos) {
        lentAt = nanos;
        handedOut = false;
        loans.setRelease(loans.getPlain() + 1); // one thread at a time, so it needs no costlier order
    }

    public long lentAt() {
        return lentAt;
    }

    /** Any thread. */
    public SessionFigures figures() {
        return new SessionFigures(loans.get(), queries.get(), lost);
    }

    /** The pool's rules for its statements. */
    public StatementRules statements() {
        return statements;
    }

    // While it is on loan.

    /** Called after each query, if queries are counted. */
    public void queried(long nanos) {
        QueryTimes times = statements.times();
        if (times != null) {
            queries.incrementAndGet();
            times.record(nanos);
        }
    }

    /** Called before a call that reaches the server: outside of auto-commit it begins a transaction. */
    public void used() {
        if (!autoCommit) {
            inTransaction = true;
        }
    }

    /** Called before a text is prepared, or sent to the server. */
    @SuppressWarnings("ReferenceEquality") // another object with the same text is judged again, with the same result
    public void ran(String sql) {
        used();
        Judged now = judged;
        if (now.text != sql) {
            now = new Judged(sql, PlainSql.of(sql));
            judged = now;
        }
        if (now.verdict.compareTo(left) > 0) {
            mayHaveLeft(now.verdict);
        }
    }

    private synchronized void mayHaveLeft(PlainSql what) {
        if (what.compareTo(left) > 0) {
            left = what;
        }
    }

    /** The connection is used in a way that is not seen here: by a procedure, or by the driver's own methods. */
    public void outOfSight() {
        mayHaveLeft(PlainSql.UNKNOWN);
    }

    /** The client gets an object of the driver's own that may query the server at any time. */
    public void handedOut() {
        used();
        handedOut = true;
    }

    public void transactionEnded() {
        inTransaction = false;
    }

    /** Notes what a property was before its first change, so that it can be put back. */
    public synchronized void changing(Property property) throws SQLException {
        changes.note(property, connection);
    }

    /** Called after a change: a property that has its former value again need not be put back. */
    public synchronized void changed(Property property, @Nullable Object to) {
        changes.set(property, to);
    }

    public void autoCommitSet(boolean to) {
        if (to) {
            inTransaction = false; // JDBC: it commits
        }
        autoCommit = to;
    }

    /** Notes whether an error means that the connection is lost. */
    public SQLException failed(SQLException e) {
        boolean isLost = switch (lossRule.judge(e)) {
            case LOST -> true;
            case USABLE -> false;
            case BY_DIALECT -> dialect.isLost(e);
        };
        if (isLost) {
            lost = true;
        }
        return e;
    }

    /** Marks it as lost: it can't be used any more. */
    public void lose() {
        lost = true;
    }

    public boolean isLost() {
        return lost;
    }

    /** Remembers what the client has made, to be closed with its loan. Threads of one client may share its connection. */
    public void track(AutoCloseable opened) {
        open.add(opened);
    }

    /** @return whether the caller must close it; if not, it is closed by the thread that ends the loan */
    public boolean untrack(AutoCloseable opened) {
        return open.remove(opened);
    }

    /** Closes what the client left open. */
    public void closeStatements() {
        open.removeAll(this, Session::close);
    }

    /** Closes an object of the driver. If that fails, it may still be open and usable after the loan: the connection is lost. */
    public void close(AutoCloseable made) {
        try {
            made.close();
        } catch (Exception | Error e) {
            log.debug("the driver could not close a statement: its connection is closed", e);
            lost = true;
        }
    }

    /** Whether a reset has to follow the loan: a transaction may be open, a property or something out of sight was changed. */
    public boolean isDirty() {
        return inTransaction || (handedOut && !autoCommit) || changes.any() || left != PlainSql.LEAVES_NOTHING;
    }

    // Between loans.

    /**
     * Rolls back, and puts back changed properties. If texts may have left state that JDBC does not show, resets that too,
     * as far as the database can. Fails if a transaction may be open and can't be reliably ended.
     *
     * @param always reset the whole session, even if no text was seen to leave anything
     */
    public void reset(boolean always) throws SQLException {
        boolean full = always || left != PlainSql.LEAVES_NOTHING;
        boolean puts = full || changes.any();
        try {
            boolean mayBeInTransaction = inTransaction || handedOut || full || (puts && !usualAutoCommit);
            if (mayBeInTransaction && !connection.getAutoCommit()) {
                connection.rollback();
            }
            inTransaction = false;
            handedOut = false;
            if (full) {
                dialect.endTransaction(connection, left == PlainSql.TRANSACTION);
                if (connection.getAutoCommit() != autoCommit) {
                    connection.setAutoCommit(autoCommit); // a text had changed it
                }
            }
            changes.putBack(connection);
            if (full) {
                dialect.reset(connection, left != PlainSql.LEAVES_NOTHING);
                dialect.putBackCatalog(connection, usualCatalog);
                for (String variables : usualVariables) {
                    Dialect.execute(connection, variables);
                }
                if (connection.getAutoCommit() != usualAutoCommit) {
                    connection.setAutoCommit(usualAutoCommit);
                }
                defaults.applyTo(connection);
            }
            if (puts && !connection.getAutoCommit()) {
                connection.commit(); // PostgreSQL: the next client's rollback would undo what was put back
            }
            left = PlainSql.LEAVES_NOTHING;
            autoCommit = connection.getAutoCommit();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** @return whether it works */
    public boolean check(HealthSettings.Check how, Duration timeout) {
        int seconds = (int) Math.max(1, timeout.toSeconds());
        try {
            return switch (how) {
                case PING -> ping(seconds);
                case QUERY -> query(seconds);
                case FULL -> {
                    reset(true);
                    yield query(seconds);
                }
            };
        } catch (SQLException e) {
            failed(e);
            return false;
        }
    }

    private boolean ping(int seconds) throws SQLException {
        try {
            return connection.isValid(seconds);
        } catch (AbstractMethodError _) {
            return query(seconds); // a driver older than JDBC 4, such as jTDS
        }
    }

    private boolean query(int seconds) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(seconds);
            statement.execute(healthQuery);
        }
        if (!autoCommit) {
            connection.rollback();
        }
        return true;
    }

    /** Returns when the server has ended it too, where the driver makes that visible; see {@link Dialect#addSocketFactory}. */
    public void close() throws SQLException {
        end.waitForServer();
        connection.close();
    }

    /** Ends it without waiting for the server. */
    public void abort() {
        end.giveUp();
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("abort failed", e); // the connection was dead already, and the server ends it by itself
        }
    }
}
