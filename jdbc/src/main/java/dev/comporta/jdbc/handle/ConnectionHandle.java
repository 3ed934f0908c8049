package dev.comporta.jdbc.handle;

import dev.comporta.jdbc.session.Property;
import dev.comporta.jdbc.session.Session;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.CallableStatement;
import java.sql.ClientInfoStatus;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection on loan. It ends with {@link #close}, which gives the physical connection back; after that every call fails with
 * SQLState 08003, whoever has the physical connection by then. What a client changes is noted, so that it can be put back.
 */
public abstract class ConnectionHandle implements Connection {
    private static final VarHandle SESSION;

    static {
        try {
            SESSION = MethodHandles.lookup().findVarHandle(ConnectionHandle.class, "session", Session.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null after the loan. */
    private volatile @Nullable Session session;

    private final Returns returns;
    private final LeakWatch.@Nullable Loan loan;

    ConnectionHandle(Session session, Returns returns, LeakWatch.@Nullable Loan loan) {
        this.session = session;
        this.returns = returns;
        this.loan = loan;
    }

    /**
     * Lends a session to a client.
     *
     * @param leaks null if nobody looks for leaks
     */
    public static ConnectionHandle lend(Session session, Returns returns, @Nullable LeakWatch leaks)
            throws SQLException {
        try {
            session.connection().beginRequest();
        } catch (SQLException e) {
            session.failed(e);
            returns.giveBack(session);
            throw e;
        }
        return Handles.connection(session, returns, leaks == null ? null : leaks.begin());
    }

    private Session session() throws SQLException {
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

    /** Remembers what is to be closed with the loan: the driver's own object, so that the compiler may do without the handle. */
    final void track(AutoCloseable opened) {
        Session open = session;
        if (open != null) {
            open.track(opened);
        }
    }

    final void untrack(AutoCloseable closed) {
        Session open = session;
        if (open != null) {
            open.untrack(closed);
        }
    }

    // The end of the loan.

    @Override
    public final void close() {
        Session open = (Session) SESSION.getAndSet(this, null);
        if (open != null) {
            if (loan != null) {
                loan.end();
            }
            leave(open);
            returns.giveBack(open);
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

    // Statements.

    @Override
    public final Statement createStatement() throws SQLException {
        return statement(c -> c.createStatement());
    }

    @Override
    public final Statement createStatement(int type, int concurrency) throws SQLException {
        return statement(c -> c.createStatement(type, concurrency));
    }

    @Override
    public final Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return statement(c -> c.createStatement(type, concurrency, holdability));
    }

    @Override
    public final PreparedStatement prepareStatement(String sql) throws SQLException {
        Session open = session();
        try {
            open.ran(sql); // now, not when it is executed: Firebird begins a transaction when it prepares
            PreparedStatement ofDriver = ruled(open, open.connection().prepareStatement(sql));
            open.track(ofDriver);
            return Handles.prepared(this, ofDriver, counts(open));
        } catch (SQLException e) {
            throw open.failed(e);
        }
    }

    @Override
    public final PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepared(sql, c -> c.prepareStatement(sql, type, concurrency));
    }

    @Override
    public final PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepared(sql, c -> c.prepareStatement(sql, type, concurrency, holdability));
    }

    @Override
    public final PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return prepared(sql, c -> c.prepareStatement(sql, autoGeneratedKeys));
    }

    @Override
    public final PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        return prepared(sql, c -> c.prepareStatement(sql, columns));
    }

    @Override
    public final PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
        return prepared(sql, c -> c.prepareStatement(sql, columns));
    }

    @Override
    public final CallableStatement prepareCall(String sql) throws SQLException {
        return callable(c -> c.prepareCall(sql));
    }

    @Override
    public final CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return callable(c -> c.prepareCall(sql, type, concurrency));
    }

    @Override
    public final CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return callable(c -> c.prepareCall(sql, type, concurrency, holdability));
    }

    @Override
    public final DatabaseMetaData getMetaData() throws SQLException {
        return call(c -> Handles.metaData(this, c.getMetaData()));
    }

    /** A call of the driver. */
    @FunctionalInterface
    private interface Call<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    private <T extends @Nullable Object> T call(Call<T> call) throws SQLException {
        Session open = session();
        try {
            return call.on(open.connection());
        } catch (SQLException e) {
            throw open.failed(e);
        }
    }

    private static boolean counts(Session open) {
        return open.statements().times() != null;
    }

    /** A new statement of the driver, with the pool's rules. */
    private static <S extends Statement> S ruled(Session open, S made) throws SQLException {
        int seconds = open.statements().timeoutSeconds();
        if (seconds > 0) {
            made.setQueryTimeout(seconds);
        }
        return made;
    }

    private static <S extends Statement> S made(Session open, Call<S> call) throws SQLException {
        try {
            return ruled(open, call.on(open.connection()));
        } catch (SQLException e) {
            throw open.failed(e);
        }
    }

    private Statement statement(Call<Statement> call) throws SQLException {
        Session open = session();
        Statement ofDriver = made(open, call);
        track(ofDriver);
        return Handles.statement(this, ofDriver, counts(open));
    }

    private PreparedStatement prepared(String sql, Call<PreparedStatement> call) throws SQLException {
        ran(sql);
        Session open = session();
        PreparedStatement ofDriver = made(open, call);
        track(ofDriver);
        return Handles.prepared(this, ofDriver, counts(open));
    }

    private CallableStatement callable(Call<CallableStatement> call) throws SQLException {
        used();
        outOfSight();
        Session open = session();
        CallableStatement ofDriver = made(open, call);
        track(ofDriver);
        return Handles.callable(this, ofDriver, counts(open));
    }

    /** No method of a connection returns one: for {@link Delegation}. */
    final ResultSet wrapped(ResultSet ofDriver) {
        return ofDriver;
    }

    // Transactions.

    @Override
    public final void commit() throws SQLException {
        Session open = session();
        try {
            open.connection().commit();
            open.transactionEnded();
        } catch (SQLException e) {
            throw open.failed(e);
        }
    }

    @Override
    public final void rollback() throws SQLException {
        Session open = session();
        try {
            open.connection().rollback();
            open.transactionEnded();
        } catch (SQLException e) {
            throw open.failed(e);
        }
    }

    @Override
    public final void rollback(Savepoint savepoint) throws SQLException {
        call(c -> {
            c.rollback(savepoint);
            return null;
        });
    }

    @Override
    public final Savepoint setSavepoint() throws SQLException {
        return savepoint(Connection::setSavepoint);
    }

    @Override
    public final Savepoint setSavepoint(String name) throws SQLException {
        return savepoint(c -> c.setSavepoint(name));
    }

    /** An error of the server would end the transaction. */
    private Savepoint savepoint(Call<Savepoint> call) throws SQLException {
        if (!hasSavepoints()) {
            throw new SQLFeatureNotSupportedException("this database has no savepoints: commit or roll back", "0A000");
        }
        used();
        return call(call);
    }

    final boolean hasSavepoints() throws SQLException {
        return session().dialect().hasSavepoints();
    }

    @Override
    public final void setAutoCommit(boolean to) throws SQLException {
        change(Property.AUTO_COMMIT, to, c -> c.setAutoCommit(to)).autoCommitSet(to);
    }

    // What is put back.

    /** A change of a property. */
    @FunctionalInterface
    private interface Change {
        void on(Connection connection) throws SQLException;
    }

    private Session change(Property property, Object to, Change change) throws SQLException {
        Session open = session();
        try {
            open.changing(property);
            change.on(open.connection());
            open.changed(property, to);
            return open;
        } catch (SQLClientInfoException e) {
            open.failed(e);
            throw e;
        } catch (SQLException e) {
            throw open.failed(e);
        }
    }

    @Override
    public final void setReadOnly(boolean to) throws SQLException {
        change(Property.READ_ONLY, to, c -> c.setReadOnly(to));
    }

    @Override
    public final void setTransactionIsolation(int to) throws SQLException {
        change(Property.ISOLATION, to, c -> c.setTransactionIsolation(to));
    }

    @Override
    public final void setCatalog(String to) throws SQLException {
        change(Property.CATALOG, to, c -> c.setCatalog(to));
    }

    @Override
    public final void setSchema(String to) throws SQLException {
        change(Property.SCHEMA, to, c -> c.setSchema(to));
    }

    @Override
    public final void setHoldability(int to) throws SQLException {
        change(Property.HOLDABILITY, to, c -> c.setHoldability(to));
    }

    @Override
    public final void setNetworkTimeout(Executor executor, int millis) throws SQLException {
        change(Property.NETWORK_TIMEOUT, millis, c -> c.setNetworkTimeout(executor, millis));
    }

    @Override
    public final void setTypeMap(Map<String, Class<?>> to) throws SQLException {
        change(Property.TYPE_MAP, to, c -> c.setTypeMap(to));
    }

    @Override
    public final void setClientInfo(String key, String value) throws SQLClientInfoException {
        changeClientInfo(c -> c.setClientInfo(key, value));
    }

    @Override
    public final void setClientInfo(Properties to) throws SQLClientInfoException {
        changeClientInfo(c -> c.setClientInfo(to));
    }

    private void changeClientInfo(Change change) throws SQLClientInfoException {
        try {
            change(Property.CLIENT_INFO, change, change);
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(
                    e.getMessage(), e.getSQLState(), e.getErrorCode(), Map.<String, ClientInfoStatus>of(), e);
        }
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
