package dev.comporta.bench.jdbc;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A connection to nothing, which costs nothing: what is measured is the pool. */
final class StubConnection implements Connection {
    private static SQLException unused() {
        return new SQLFeatureNotSupportedException("the benchmark does not use it");
    }

    @Override
    public void close() {}

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public boolean isValid(int seconds) {
        return true;
    }

    @Override
    public boolean getAutoCommit() {
        return true;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return type.cast(this);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    @Override
    public Statement createStatement() throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p0) throws SQLException {
        throw unused();
    }

    @Override
    public CallableStatement prepareCall(String p0) throws SQLException {
        throw unused();
    }

    @Override
    public String nativeSQL(String p0) throws SQLException {
        throw unused();
    }

    @Override
    public void setAutoCommit(boolean p0) {}

    @Override
    public void commit() {}

    @Override
    public void rollback() {}

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        throw unused();
    }

    @Override
    public void setReadOnly(boolean p0) {}

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void setCatalog(String p0) {}

    @Override
    public String getCatalog() throws SQLException {
        throw unused();
    }

    @Override
    public void setTransactionIsolation(int p0) {}

    @Override
    public int getTransactionIsolation() {
        return 0;
    }

    @Override
    public @Nullable SQLWarning getWarnings() {
        return null;
    }

    @Override
    public void clearWarnings() {}

    @Override
    public Statement createStatement(int p0, int p1) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p0, int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public CallableStatement prepareCall(String p0, int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        throw unused();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> p0) {}

    @Override
    public void setHoldability(int p0) {}

    @Override
    public int getHoldability() {
        return 0;
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        throw unused();
    }

    @Override
    public Savepoint setSavepoint(String p0) throws SQLException {
        throw unused();
    }

    @Override
    public void rollback(Savepoint p0) {}

    @Override
    public void releaseSavepoint(Savepoint p0) {}

    @Override
    public Statement createStatement(int p0, int p1, int p2) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p0, int p1, int p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public CallableStatement prepareCall(String p0, int p1, int p2, int p3) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p0, int p1) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p0, int[] p1) throws SQLException {
        throw unused();
    }

    @Override
    public PreparedStatement prepareStatement(String p0, String[] p1) throws SQLException {
        throw unused();
    }

    @Override
    public Clob createClob() throws SQLException {
        throw unused();
    }

    @Override
    public Blob createBlob() throws SQLException {
        throw unused();
    }

    @Override
    public NClob createNClob() throws SQLException {
        throw unused();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        throw unused();
    }

    @Override
    public void setClientInfo(String p0, String p1) {}

    @Override
    public void setClientInfo(Properties p0) {}

    @Override
    public String getClientInfo(String p0) throws SQLException {
        throw unused();
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        throw unused();
    }

    @Override
    public Array createArrayOf(String p0, Object[] p1) throws SQLException {
        throw unused();
    }

    @Override
    public Struct createStruct(String p0, Object[] p1) throws SQLException {
        throw unused();
    }

    @Override
    public void setSchema(String p0) {}

    @Override
    public String getSchema() throws SQLException {
        throw unused();
    }

    @Override
    public void abort(Executor p0) {}

    @Override
    public void setNetworkTimeout(Executor p0, int p1) {}

    @Override
    public int getNetworkTimeout() {
        return 0;
    }
}
