package dev.comporta.jdbc.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.session.SessionDefaults;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A driver that caches statements returns the same object to the client that prepares the same text next, as MySQL Connector/J does
 * with {@code cachePrepStmts}: that it was closed before says nothing.
 */
class HandleAfterCloseTest {
    private final List<String> calls = new ArrayList<>();
    private final PreparedStatement cached = fake(PreparedStatement.class);
    private final ResultSet rows = fake(ResultSet.class);
    private final ResultSetMetaData ofRows = fake(ResultSetMetaData.class);
    private final ParameterMetaData ofParameters = fake(ParameterMetaData.class);
    private @Nullable Runnable whileItCreates;

    private <T> T fake(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                HandleAfterCloseTest.class.getClassLoader(), new Class<?>[] {type}, answers(type.getSimpleName())));
    }

    private InvocationHandler answers(String of) {
        return (self, method, args) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals")
                        ? (Object) (self == args[0])
                        : method.getName().equals("hashCode") ? (Object) System.identityHashCode(self) : of;
            }
            calls.add(of + "." + method.getName());
            Runnable meanwhile = whileItCreates;
            if (method.getName().equals("createStatement") && meanwhile != null) {
                meanwhile.run();
            }
            Class<?> type = method.getReturnType();
            if (Statement.class.isAssignableFrom(type)) {
                return cached;
            } else if (type == ResultSet.class) {
                return rows;
            } else if (type == ResultSetMetaData.class) {
                return ofRows;
            } else if (type == ParameterMetaData.class) {
                return ofParameters;
            } else if (type == boolean.class) {
                return method.getName().equals("getAutoCommit");
            }
            return type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
        };
    }

    private Session open() throws SQLException {
        Connection connection = fake(Connection.class);
        Driver driver = (Driver) Proxy.newProxyInstance(
                HandleAfterCloseTest.class.getClassLoader(), new Class<?>[] {Driver.class}, (_, _, _) -> connection);
        return new Opener(
                        "jdbc:fake:x",
                        driver,
                        Dialect.GENERIC,
                        new Properties(),
                        Credentials.of("app", "secret"),
                        SessionDefaults.DRIVERS,
                        LossRule.NONE,
                        null,
                        Duration.ofSeconds(30))
                .open();
    }

    private static void assertClosed(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isIn("08003", "HY010"));
    }

    @Test
    void nothingOfALoanReachesTheDriverAfterwards() throws SQLException {
        Session session = open();
        Connection first = ConnectionHandle.lend(session, _ -> {}, null);
        PreparedStatement kept = first.prepareStatement("UPDATE t SET a = ?");
        ResultSet keptRows = kept.executeQuery();
        ResultSetMetaData keptMetaData = keptRows.getMetaData();
        ParameterMetaData keptParameters = kept.getParameterMetaData();
        first.close();

        Connection second = ConnectionHandle.lend(session, _ -> {}, null);
        PreparedStatement ofNext = second.prepareStatement("UPDATE t SET a = ?");
        calls.clear();
        assertClosed(() -> kept.setInt(1, 666));
        assertClosed(kept::executeUpdate);
        assertClosed(kept::cancel);
        assertClosed(kept::addBatch);
        assertClosed(keptRows::next);
        assertClosed(() -> keptRows.getInt(1));
        assertClosed(() -> keptMetaData.isAutoIncrement(1));
        assertClosed(keptParameters::getParameterCount);
        assertClosed(() -> kept.unwrap(PreparedStatement.class));
        kept.close();
        keptRows.close();
        assertThat(kept.isClosed()).isTrue();
        assertThat(keptRows.isClosed()).isTrue();
        assertThat(calls).isEmpty();
        ofNext.setInt(1, 1);
        ofNext.executeUpdate();
        assertThat(calls).containsExactly("PreparedStatement.setInt", "PreparedStatement.executeUpdate");
    }

    @Test
    void aClosedStatementStaysClosedWithinItsLoan() throws SQLException {
        Connection connection = ConnectionHandle.lend(open(), _ -> {}, null);
        PreparedStatement kept = connection.prepareStatement("UPDATE t SET a = ?");
        ResultSet keptRows = kept.executeQuery();
        kept.close();
        connection.prepareStatement("UPDATE t SET a = ?");
        calls.clear();
        assertClosed(() -> kept.setInt(1, 666));
        assertClosed(keptRows::next);
        kept.close();
        assertThat(kept.isClosed()).isTrue();
        assertThat(keptRows.isClosed()).isTrue();
        assertThat(calls).isEmpty();
    }

    @Test
    void whatIsMadeWhileAnotherThreadClosesTheConnectionIsClosedToo() throws SQLException {
        Connection connection = ConnectionHandle.lend(open(), _ -> {}, null);
        whileItCreates = () -> {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        };
        assertClosed(connection::createStatement);
        assertThat(calls).endsWith("PreparedStatement.close");
    }
}
