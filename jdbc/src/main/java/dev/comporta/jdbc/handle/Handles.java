package dev.comporta.jdbc.handle;

import dev.comporta.jdbc.session.Session;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** Wraps what the driver returns. */
final class Handles {
    private static final MethodHandle CONNECTION = constructor(ConnectionHandle.class, Connection.class);
    private static final MethodHandle STATEMENT = constructor(StatementHandle.class, Statement.class);
    private static final MethodHandle PREPARED = constructor(PreparedStatementHandle.class, PreparedStatement.class);
    private static final MethodHandle CALLABLE = constructor(CallableStatementHandle.class, CallableStatement.class);
    private static final MethodHandle RESULT_SET = constructor(ResultSetHandle.class, ResultSet.class);
    private static final MethodHandle COLUMNS = constructor(ColumnsHandle.class, ResultSetMetaData.class);
    private static final MethodHandle PARAMETERS = constructor(ParametersHandle.class, ParameterMetaData.class);
    private static final MethodHandle META_DATA = constructor(MetaDataHandle.class, DatabaseMetaData.class);

    /** Made when the first statement is counted, so that others don't wait for it. */
    private static final class Counted {
        static final MethodHandle STATEMENT = counted(StatementHandle.class, Statement.class);
        static final MethodHandle PREPARED = counted(PreparedStatementHandle.class, PreparedStatement.class);
        static final MethodHandle CALLABLE = counted(CallableStatementHandle.class, CallableStatement.class);
    }

    private Handles() {}

    private static MethodHandle constructor(Class<?> base, Class<?> type) {
        return Delegation.constructor(MethodHandles.lookup(), base, type, false);
    }

    private static MethodHandle counted(Class<?> base, Class<?> type) {
        return Delegation.constructor(MethodHandles.lookup(), base, type, true);
    }

    static ConnectionHandle connection(Session session, Returns returns, LeakWatch.@Nullable Loan loan) {
        try {
            return (ConnectionHandle) CONNECTION.invokeExact(session, returns, loan);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static StatementHandle statement(ConnectionHandle owner, Statement ofDriver, boolean counted) {
        try {
            return counted
                    ? (StatementHandle) Counted.STATEMENT.invokeExact(owner, (Wrapper) ofDriver)
                    : (StatementHandle) STATEMENT.invokeExact(owner, (Wrapper) ofDriver);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static PreparedStatementHandle prepared(ConnectionHandle owner, PreparedStatement ofDriver, boolean counted) {
        try {
            return counted
                    ? (PreparedStatementHandle) Counted.PREPARED.invokeExact(owner, (Wrapper) ofDriver)
                    : (PreparedStatementHandle) PREPARED.invokeExact(owner, (Wrapper) ofDriver);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static CallableStatementHandle callable(ConnectionHandle owner, CallableStatement ofDriver, boolean counted) {
        try {
            return counted
                    ? (CallableStatementHandle) Counted.CALLABLE.invokeExact(owner, (Wrapper) ofDriver)
                    : (CallableStatementHandle) CALLABLE.invokeExact(owner, (Wrapper) ofDriver);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static ResultSetHandle resultSet(ConnectionHandle owner, ResultSet ofDriver, @Nullable StatementHandle statement) {
        try {
            return ((ResultSetHandle) RESULT_SET.invokeExact(owner, (Wrapper) ofDriver)).of(statement);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static MetaDataHandle metaData(ConnectionHandle owner, DatabaseMetaData ofDriver) {
        try {
            return (MetaDataHandle) META_DATA.invokeExact(owner, (Wrapper) ofDriver);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static ResultSetMetaData columns(ConnectionHandle owner, ResultSetMetaData ofDriver) {
        try {
            return (ResultSetMetaData) (ColumnsHandle) COLUMNS.invokeExact(owner, (Wrapper) ofDriver);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static ParameterMetaData parameters(ConnectionHandle owner, ParameterMetaData ofDriver) {
        try {
            return (ParameterMetaData) (ParametersHandle) PARAMETERS.invokeExact(owner, (Wrapper) ofDriver);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** The constructors throw nothing. */
    private static RuntimeException impossible(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
