package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.EngineSession.IsolationLevel;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.standin.engine.SqlError;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A session's transaction: @@TRANCOUNT and its names, savepoints, and the DDL that H2 can't roll back itself. Only the
 * outermost begin and the real end reach H2 and are reported to the client.
 */
public final class Transactions {
    private record Mark(String name, Savepoint savepoint, int undoSize) {}

    /** The steps that DDL needs at the end of its transaction: to undo it, or to complete it. */
    private record Ddl(Runnable onRollback, Runnable onCommit) {}

    private final Executor executor;
    private final AtomicLong descriptors;
    private final ServerHabits habits;
    private final List<Mark> marks = new ArrayList<>();
    private final List<Ddl> ddl = new ArrayList<>();
    private final List<Runnable> atEnd = new ArrayList<>();
    private final AtomicInteger count = new AtomicInteger();
    private long descriptor;
    private String name = "";
    private boolean doomed;
    /** @@TRANCOUNT is positive without a transaction, as after a reset of Babelfish. */
    private boolean hollow;

    private volatile IsolationLevel isolation = IsolationLevel.READ_COMMITTED;
    private boolean hasRead;
    private IsolationLevel applied = IsolationLevel.READ_COMMITTED;

    Transactions(Executor executor, AtomicLong descriptors, ServerHabits habits) {
        this.executor = executor;
        this.descriptors = descriptors;
        this.habits = habits;
    }

    public int count() {
        return count.get();
    }

    public boolean isOpen() {
        return count.get() > 0;
    }

    public boolean isDoomed() {
        return doomed;
    }

    /** Under XACT_ABORT an error that a TRY block catches leaves a transaction that can only be rolled back. */
    public void doom() {
        doomed = isOpen();
    }

    /** XACT_STATE(). */
    public int state() {
        return count.get() == 0 ? 0 : doomed ? -1 : 1;
    }

    public long descriptor() {
        return descriptor;
    }

    /** The descriptor of the open transaction, or of the last one. */
    public long lastDescriptor() {
        return descriptor == 0 ? descriptors.get() : descriptor;
    }

    public IsolationLevel isolation() {
        return isolation;
    }

    /** Takes effect in H2 with the next transaction, because H2 would commit the open one. */
    public void setIsolation(IsolationLevel level) {
        if (level == IsolationLevel.UNCHANGED) {
            return;
        }
        if (habits.isBabelfish() && hasRead && level != isolation) {
            throw new SqlError(
                    33557097,
                    16,
                    1,
                    SqlError.Effect.ROLLBACK,
                    "SET TRANSACTION ISOLATION failed, transaction aborted, set escape hatch"
                            + " 'escape_hatch_set_transaction_isolation_level' to ignore such error");
        }
        isolation = level;
    }

    /** A statement reads, if only a variable: PostgreSQL takes the transaction's snapshot at its first read. */
    void reads() {
        hasRead = isOpen();
    }

    /** Call before a statement uses H2 outside of a transaction, and when a transaction begins. */
    public void applyIsolation() {
        if (count.get() > 0 || applied == isolation) {
            return;
        }
        String level = isolation.name().replace('_', ' ');
        try (Statement statement = executor.connection().createStatement()) {
            statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
        } catch (SQLException e) {
            throw executor.errors().translate(e, "SET", null);
        }
        applied = isolation;
    }

    public void begin(String transactionName, Response response) {
        if (count.get() == 0 || hollow) {
            applyIsolation();
            descriptor = descriptors.incrementAndGet();
            name = transactionName;
            hollow = false;
            count.incrementAndGet();
            if (!habits.isBabelfish()) {
                response.transactionBegan(descriptor);
            }
        } else {
            count.incrementAndGet();
        }
    }

    public void commit(Response response) {
        if (count.get() == 0 || hollow) {
            throw SqlError.statement(
                    3902, 16, 1, "The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.");
        }
        if (doomed) {
            throw new SqlError(
                    3930,
                    16,
                    1,
                    SqlError.Effect.BATCH,
                    "The current transaction cannot be committed and cannot support operations that write to the log file."
                            + " Roll back the transaction.");
        }
        if (count.get() > 1) {
            count.decrementAndGet();
            return;
        }
        executor.commit();
        List<Ddl> completed = List.copyOf(ddl);
        long ended = end();
        completed.forEach(step -> step.onCommit.run());
        if (!habits.isBabelfish()) {
            response.transactionCommitted(ended);
        }
    }

    /** Commits a statement outside of any transaction. */
    public void autocommit() {
        if (count.get() == 0 || hollow) {
            executor.commit();
            List<Ddl> completed = List.copyOf(ddl);
            ddl.clear();
            completed.forEach(step -> step.onCommit.run());
        }
    }

    /** Rolls back a failed statement outside of any transaction: H2 has undone it, but may still hold a lock. */
    public void autorollback() {
        if (count.get() == 0 || hollow) {
            executor.rollback();
            undo(0);
        }
    }

    /** @param target a savepoint's or the outermost transaction's name, or empty */
    public void rollback(String target, Response response) {
        if (count.get() == 0 || hollow) {
            throw SqlError.statement(
                    3903, 16, 1, "The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.");
        }
        if (!target.isEmpty() && !target.equalsIgnoreCase(name)) {
            rollbackTo(target);
            return;
        }
        rollbackAll(habits.isBabelfish() ? null : response);
    }

    /**
     * Ends the transaction, whatever its depth; does nothing if none is open.
     *
     * @param response receives the report; null for none
     */
    public void rollbackAll(@Nullable Response response) {
        if (count.get() == 0) {
            return;
        }
        executor.rollback();
        undo(0);
        long ended = end();
        if (response != null) {
            response.transactionRolledBack(ended);
        }
    }

    /** Rolls back the transaction's work, and keeps @@TRANCOUNT. */
    void hollowOut() {
        if (count.get() == 0) {
            return;
        }
        int before = count.get();
        rollbackAll(null);
        count.set(before);
        hollow = true;
    }

    private void undo(int downTo) {
        while (ddl.size() > downTo) {
            ddl.removeLast().onRollback.run();
        }
    }

    private long end() {
        long ended = descriptor;
        count.set(0);
        descriptor = 0;
        name = "";
        doomed = false;
        hollow = false;
        hasRead = false;
        marks.clear();
        ddl.clear();
        List<Runnable> steps = List.copyOf(atEnd);
        atEnd.clear();
        steps.forEach(Runnable::run);
        return ended;
    }

    public void save(String savepointName) {
        if (count.get() == 0) {
            throw SqlError.statement(628, 16, 0, "Cannot issue SAVE TRANSACTION when there is no active transaction.");
        }
        try {
            marks.add(new Mark(savepointName, executor.connection().setSavepoint(), ddl.size()));
        } catch (SQLException e) {
            throw executor.errors().translate(e, "SAVE", null);
        }
    }

    private void rollbackTo(String target) {
        for (int i = marks.size() - 1; i >= 0; i--) {
            Mark mark = marks.get(i);
            if (mark.name.equalsIgnoreCase(target)) {
                try {
                    executor.connection().rollback(mark.savepoint);
                } catch (SQLException e) {
                    throw executor.errors().translate(e, "ROLLBACK", null);
                }
                undo(mark.undoSize);
                // The savepoint itself stays, and can be rolled back to again.
                marks.subList(i + 1, marks.size()).clear();
                return;
            }
        }
        String text = "Cannot roll back " + target + ". No transaction or savepoint of that name was found.";
        throw SqlError.statement(6401, 16, 1, text);
    }

    public void did(Runnable onRollback) {
        did(onRollback, () -> {});
    }

    /** Records DDL: how to undo it if the transaction is rolled back, and how to complete it if not. */
    public void did(Runnable onRollback, Runnable onCommit) {
        ddl.add(new Ddl(onRollback, onCommit));
    }

    /** Runs a step when the transaction ends, by commit or rollback. */
    public void atEnd(Runnable step) {
        atEnd.add(step);
    }
}
