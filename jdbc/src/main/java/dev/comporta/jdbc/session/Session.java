package dev.comporta.jdbc.session;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.pool.settings.HealthSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
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

    private static final int FEW_STATEMENTS = 16;

    private final Connection connection;
    private final Dialect dialect;
    private final LossRule lossRule;
    private final SessionDefaults defaults;
    private final String healthQuery;
    private final StatementRules statements;
    private final Changes changes = new Changes();

    private @Nullable AutoCloseable[] open = new @Nullable AutoCloseable[FEW_STATEMENTS];
    private int openCount;
    private boolean autoCommit;
    private boolean inTransaction;
    /** What the texts of this loan may have left that JDBC does not show. */
    private PlainSql left = PlainSql.LEAVES_NOTHING;
    /** The text judged last, and how: applications run the same constants again and again. */
    private @Nullable String judgedText;

    private PlainSql judged = PlainSql.LEAVES_NOTHING;
    private final boolean usualAutoCommit;

    /** Also set by the client's other threads: a statement may be cancelled from outside. */
    private volatile boolean lost;

    private @Nullable Object place;
    private long period;
    private long lentAt;

    /** Written by who has it, read by who counts. */
    private final AtomicLong loans = new AtomicLong();

    private final AtomicLong queries = new AtomicLong();

    Session(
            Connection connection,
            Dialect dialect,
            LossRule lossRule,
            SessionDefaults defaults,
            String healthQuery,
            StatementRules statements)
            throws SQLException {
        this.connection = connection;
        this.dialect = dialect;
        this.lossRule = lossRule;
        this.defaults = defaults;
        this.healthQuery = healthQuery;
        this.statements = statements;
        defaults.applyTo(connection);
        autoCommit = connection.getAutoCommit();
        usualAutoCommit = autoCommit;
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

    /** In which period of the carrier it was lent last; see there. */
    public void lentIn(long period) {
        this.period = period;
    }

    public long period() {
        return period;
    }

    /** When its loan began, in {@link System#nanoTime}. */
    public void lentAt(long nanos) {
        lentAt = nanos;
        loans.setRelease(loans.getPlain() + 1); // one thread at a time, so it needs no costlier order
    }

    public long lentAt() {
        return lentAt;
    }

    /** Any thread. */
    public SessionFigures figures() {
        return new SessionFigures(loans.get(), queries.get(), lost);
    }

    /** What the pool does about its statements. */
    public StatementRules statements() {
        return statements;
    }

    // While it is on loan.

    /** After a query, if they are counted. */
    public void queried(long nanos) {
        QueryTimes times = statements.times();
        if (times != null) {
            queries.incrementAndGet();
            times.record(nanos);
        }
    }

    /** Before a call that reaches the server: outside of auto-commit it begins a transaction. */
    public void used() {
        if (!autoCommit) {
            inTransaction = true;
        }
    }

    /** Before a text is prepared, or sent to the server. */
    @SuppressWarnings("ReferenceEquality") // another object with the same text is judged again, to the same end
    public void ran(String sql) {
        used();
        if (judgedText != sql) {
            judged = PlainSql.of(sql);
            judgedText = sql;
        }
        if (judged.compareTo(left) > 0) {
            left = judged;
        }
    }

    /** Something is done with the connection that is not seen here: by a procedure, or by the driver's own methods. */
    public void outOfSight() {
        if (left == PlainSql.LEAVES_NOTHING) {
            left = PlainSql.UNKNOWN;
        }
    }

    public void transactionEnded() {
        inTransaction = false;
    }

    /** Notes what a property was before its first change, so that it can be put back. */
    public void changing(Property property) throws SQLException {
        changes.note(property, connection);
    }

    /** After a change: a property that is back where it was needs no putting back. */
    public void changed(Property property, Object to) {
        changes.set(property, to);
    }

    public void autoCommitSet(boolean to) {
        if (to) {
            inTransaction = false; // JDBC: it commits
        }
        autoCommit = to;
    }

    /** Notes what an error says about the connection. */
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

    /** It is of no further use. */
    public void lose() {
        lost = true;
    }

    public boolean isLost() {
        return lost;
    }

    public void track(AutoCloseable opened) {
        if (openCount == open.length) {
            open = Arrays.copyOf(open, openCount * 2);
        }
        open[openCount++] = opened;
    }

    @SuppressWarnings("ReferenceEquality") // the very object
    public void untrack(AutoCloseable closed) {
        for (int i = openCount - 1; i >= 0; i--) {
            if (open[i] == closed) {
                System.arraycopy(open, i + 1, open, i, openCount - i - 1);
                open[--openCount] = null;
                return;
            }
        }
    }

    /** What the client left open is closed, latest first. */
    public void closeStatements() {
        while (openCount > 0) {
            AutoCloseable last = open[--openCount];
            open[openCount] = null;
            try {
                if (last != null) {
                    last.close();
                }
            } catch (SQLException e) {
                failed(e);
            } catch (Exception e) {
                lost = true; // a driver that throws something else is in a state that nobody knows
            }
        }
    }

    /** Whether a reset has to follow the loan: a transaction may be open, a property or something out of sight was changed. */
    public boolean isDirty() {
        return inTransaction || changes.any() || left != PlainSql.LEAVES_NOTHING;
    }

    // Between loans.

    /**
     * Rolls back and puts back what was changed. Where texts may have left what JDBC does not show, that too, as far as the
     * database can; a transaction that may be open and can't be ended for certain fails it.
     *
     * @param always also if no text was seen to leave anything
     */
    public void reset(boolean always) throws SQLException {
        boolean full = always || left != PlainSql.LEAVES_NOTHING;
        try {
            if (!connection.getAutoCommit() && (inTransaction || full)) {
                connection.rollback();
            }
            inTransaction = false;
            if (full) {
                dialect.endTransaction(connection, left == PlainSql.TRANSACTION);
                if (connection.getAutoCommit() != autoCommit) {
                    connection.setAutoCommit(autoCommit); // a text had changed it
                }
            }
            changes.putBack(connection);
            if (full) {
                dialect.reset(connection, left != PlainSql.LEAVES_NOTHING);
                if (connection.getAutoCommit() != usualAutoCommit) {
                    connection.setAutoCommit(usualAutoCommit);
                }
                defaults.applyTo(connection);
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

    public void close() throws SQLException {
        connection.close();
    }

    /** Ends it without waiting for the server. */
    public void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            log.debug("abort failed", e); // the connection was dead anyway, and the server ends it in its own time
        }
    }
}
