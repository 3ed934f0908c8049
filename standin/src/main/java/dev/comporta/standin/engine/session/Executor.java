package dev.comporta.standin.engine.session;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.query.H2Functions;
import dev.comporta.standin.engine.query.Rendered;
import dev.comporta.standin.engine.store.H2Errors;
import dev.comporta.standin.engine.store.H2Values;
import dev.comporta.standin.engine.store.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs rendered statements on a session's H2 connection. Waits for locks up to LOCK_TIMEOUT. */
public final class Executor {
    /** Receives rows; returns false if it wants no more. */
    public interface Rows {
        boolean row(@Nullable Object[] values);
    }

    private final Connection connection;
    private final H2Errors errors;
    private final Cancellation cancellation;
    private boolean written;

    Executor(Connection connection, H2Errors errors, Cancellation cancellation) {
        this.connection = connection;
        this.errors = errors;
        this.cancellation = cancellation;
    }

    /** Whether the current transaction has changed anything. */
    public boolean hasWritten() {
        return written;
    }

    public Connection connection() {
        return connection;
    }

    H2Errors errors() {
        return errors;
    }

    /**
     * @param lockTimeout in milliseconds, -1 for ever
     * @return the number of rows
     */
    public long query(Rendered rendered, Rows rows, int lockTimeout) {
        List<@Nullable Object> constants = rendered.constants();
        if (constants != null) {
            rows.row(constants.toArray());
            return 1;
        }
        return inStatement(rendered, "SELECT", null, lockTimeout, statement -> {
            long count = 0;
            List<Column> columns = rendered.columns();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    @Nullable Object[] values = new @Nullable Object[columns.size()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = H2Values.read(result, i + 1, columns.get(i).type());
                    }
                    count++;
                    if (!rows.row(values)) {
                        break;
                    }
                    cancellation.check();
                }
            }
            return count;
        });
    }

    public long update(Rendered rendered, String verb, @Nullable Table table, int lockTimeout) {
        written = true;
        return inStatement(rendered, verb, table, lockTimeout, PreparedStatement::executeUpdate);
    }

    private interface Work {
        long run(PreparedStatement statement) throws SQLException;
    }

    private long inStatement(Rendered rendered, String verb, @Nullable Table table, int lockTimeout, Work work) {
        long deadline = System.nanoTime() + lockTimeout * 1_000_000L;
        while (true) {
            H2Functions.enter(rendered);
            try (PreparedStatement statement = connection.prepareStatement(rendered.sql())) {
                List<@Nullable Object> parameters = rendered.parameters();
                // A constant that was folded into another is in the list, but no longer in the text.
                int used = Math.min(
                        parameters.size(), statement.getParameterMetaData().getParameterCount());
                for (int i = 0; i < used; i++) {
                    statement.setObject(i + 1, parameters.get(i));
                }
                cancellation.running(statement);
                return work.run(statement);
            } catch (SQLException e) {
                boolean mayWait = lockTimeout < 0 || System.nanoTime() - deadline < 0;
                if (!H2Errors.isLockWait(e) || !mayWait) {
                    throw errors.translate(e, verb, table);
                }
                cancellation.check();
            } finally {
                H2Functions.leave();
                endOfStatement();
            }
        }
    }

    private void endOfStatement() {
        try {
            cancellation.running(null);
        } catch (RequestCancelled e) {
            // The statement has ended; the next step of the request checks for the cancel.
        }
    }

    public void commit() {
        written = false;
        try {
            connection.commit();
        } catch (SQLException e) {
            throw errors.translate(e, "COMMIT", null);
        }
    }

    void rollback() {
        written = false;
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw errors.translate(e, "ROLLBACK", null);
        }
    }
}
