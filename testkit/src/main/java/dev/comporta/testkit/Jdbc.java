package dev.comporta.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Connections of the two JDBC drivers, and one-line requests over them. */
public final class Jdbc {
    private Jdbc() {}

    /** Connects through mssql-jdbc, without encryption unless the options ask for it. */
    public static Connection mssql(int port, String options) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + port
                + ";databaseName=AppDB;encrypt=false;trustServerCertificate=true;" + options);
    }

    /** Connects through jTDS. */
    public static Connection jtds(int port, String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:jtds:sqlserver://127.0.0.1:" + port + "/AppDB;" + options, RawClient.USER, RawClient.PASSWORD);
    }

    /** The first column of the first row. */
    public static @Nullable String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    public static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Asserts that a call fails with this error number of the server or the proxy. */
    public static void getsError(int number, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(number));
    }
}
