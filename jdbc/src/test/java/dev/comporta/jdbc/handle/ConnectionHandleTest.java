package dev.comporta.jdbc.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.session.Opener;
import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.session.SessionDefaults;
import dev.comporta.jdbc.stub.StubServer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ConnectionHandleTest {
    private final StubServer server = new StubServer();
    private final List<Session> returned = new ArrayList<>();

    private Session open(LossRule rule) throws SQLException {
        return new Opener(
                        "jdbc:stub:x",
                        server,
                        Dialect.GENERIC,
                        new Properties(),
                        Credentials.of("app", "secret"),
                        SessionDefaults.DRIVERS,
                        rule,
                        null,
                        Duration.ofSeconds(30))
                .open();
    }

    private Connection lend(Session session) throws SQLException {
        return ConnectionHandle.lend(session, returned::add, null);
    }

    @Test
    void everyPropertyThatAClientChangesIsPutBackAndNothingElse() throws SQLException {
        Session session = open(LossRule.NONE);
        Connection c = lend(session);
        c.setAutoCommit(false);
        c.setReadOnly(true);
        c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        c.setCatalog("other");
        c.setSchema("other");
        c.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
        c.setNetworkTimeout(Runnable::run, 5);
        c.setTypeMap(Map.of("a", String.class));
        c.setClientInfo("ApplicationName", "x");
        c.close();
        assertThat(session.isDirty()).isTrue();
        int before = StubServer.state(session.connection()).calls().size();
        session.reset(false);
        List<String> calls = StubServer.state(session.connection()).calls();
        assertThat(calls.subList(before, calls.size()))
                .containsExactly(
                        "setReadOnly false",
                        "setTransactionIsolation 2",
                        "setCatalog main",
                        "setSchema public",
                        "setHoldability 1",
                        "setNetworkTimeout 0",
                        "setClientInfo {}",
                        "setTypeMap {}",
                        "setAutoCommit true");
        assertThat(session.isDirty()).isFalse();
    }

    @Test
    void aCleanLoanCallsTheDriverForNothingButItsBeginAndEnd() throws SQLException {
        Session session = open(LossRule.NONE);
        lend(session).close();
        assertThat(StubServer.state(session.connection()).calls()).containsExactly("beginRequest", "endRequest");
        assertThat(session.isDirty()).isFalse();
        assertThat(returned).containsExactly(session);
    }

    @Test
    void whatIsSetBackByTheClientItselfNeedsNoReset() throws SQLException {
        Session session = open(LossRule.NONE);
        Connection c = lend(session);
        c.setAutoCommit(false);
        StubServer.execute(c, "UPDATE x");
        c.commit();
        c.setAutoCommit(true);
        c.setReadOnly(true);
        c.setReadOnly(false);
        c.close();
        assertThat(session.isDirty()).isFalse();
    }

    @Test
    void whatRunsOutsideOfAutoCommitIsRolledBackUnlessItWasEnded() throws SQLException {
        Session session = open(LossRule.NONE);
        Connection c = lend(session);
        c.setAutoCommit(false);
        c.commit();
        assertThat(session.isDirty()).isTrue(); // auto-commit
        StubServer.execute(c, "UPDATE x");
        c.close();
        session.reset(false);
        assertThat(StubServer.state(session.connection()).calls()).endsWith("rollback", "setAutoCommit true");
        Session committed = open(LossRule.NONE);
        Connection ended = lend(committed);
        ended.setAutoCommit(false);
        StubServer.execute(ended, "UPDATE x");
        ended.commit();
        ended.close();
        committed.reset(false);
        assertThat(StubServer.state(committed.connection()).calls())
                .doesNotContain("rollback")
                .endsWith("setAutoCommit true");
    }

    @Test
    void statementsThatWereLeftOpenAreClosedWithTheConnection() throws SQLException {
        Session session = open(LossRule.NONE);
        Connection c = lend(session);
        c.createStatement();
        c.prepareStatement("SELECT 1");
        try (Statement closed = c.prepareCall("{call x}")) {
            assertThat(closed.getConnection()).isSameAs(c);
        }
        c.close();
        assertThat(StubServer.state(session.connection()).calls().stream().filter("closeStatement"::equals))
                .hasSize(3);
    }

    /** A use of something that a connection has handed out. */
    private interface Use {
        void of(ConnectionHandle connection) throws SQLException;
    }

    @Test
    void anErrorThatEndsTheConnectionIsSeenWhereverItComesFrom() throws SQLException {
        assertLosesConnection(
                c -> Handles.statement(c, failing(Statement.class), false).execute("x"));
        assertLosesConnection(c ->
                Handles.prepared(c, failing(PreparedStatement.class), false).setInt(1, 1));
        assertLosesConnection(
                c -> Handles.callable(c, failing(CallableStatement.class), true).executeQuery());
        assertLosesConnection(
                c -> Handles.resultSet(c, failing(ResultSet.class), null).next());
        assertLosesConnection(
                c -> Handles.metaData(c, failing(DatabaseMetaData.class)).getURL());
        assertLosesConnection(c -> {
            server.sick = () -> true;
            c.rollback();
        });
    }

    private void assertLosesConnection(Use use) throws SQLException {
        Session session = open(LossRule.NONE);
        Connection c = lend(session);
        assertThatThrownBy(() -> use.of((ConnectionHandle) c))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08006"));
        assertThat(session.isLost()).isTrue();
    }

    private static <T> T failing(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                ConnectionHandleTest.class.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> {
                    throw new SQLException("the server is gone", "08006");
                }));
    }

    @Test
    void aRuleOfTheApplicationDecidesBeforeTheDialect() throws SQLException {
        Session kept = open(_ -> LossRule.Verdict.USABLE);
        Connection c = lend(kept);
        assertThatThrownBy(() -> StubServer.execute(c, "fail")).isInstanceOf(SQLException.class);
        assertThat(kept.isLost()).isFalse();
        Session lost = open(_ -> LossRule.Verdict.LOST);
        lost.failed(new SQLException("harmless", "23505"));
        assertThat(lost.isLost()).isTrue();
    }

    @Test
    void closingTwiceGivesBackOnceAndAbortAfterCloseDoesNothing() throws SQLException {
        Session session = open(LossRule.NONE);
        Connection c = lend(session);
        c.close();
        c.close();
        c.abort(Runnable::run);
        assertThat(returned).containsExactly(session);
        assertThat(session.isLost()).isFalse();
    }

    @Test
    void unwrapReachesTheDriversOwnInterface() throws SQLException {
        Connection c = lend(open(LossRule.NONE));
        assertThat(c.isWrapperFor(StubServer.Stub.class)).isTrue();
        assertThat(c.unwrap(StubServer.Stub.class)).isNotNull();
    }

    /** A method that is not delegated would be an AbstractMethodError, or the interface's default, in production only. */
    @Test
    void everyMethodOfEveryInterfaceIsImplemented() throws SQLException {
        Connection c = lend(open(LossRule.NONE));
        assertDelegates(c, Connection.class);
        assertDelegates(c.createStatement(), Statement.class);
        assertDelegates(c.prepareStatement("x"), PreparedStatement.class);
        assertDelegates(c.prepareCall("x"), CallableStatement.class);
        assertDelegates(Handles.resultSet((ConnectionHandle) c, stub(ResultSet.class), null), ResultSet.class);
        assertDelegates(Handles.metaData((ConnectionHandle) c, stub(DatabaseMetaData.class)), DatabaseMetaData.class);
    }

    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                ConnectionHandleTest.class.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null));
    }

    private static void assertDelegates(Object handle, Class<?> type) {
        for (Method method : type.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                assertThat(handle.getClass())
                        .satisfies(c -> assertThat(c.getMethod(method.getName(), method.getParameterTypes())
                                        .getDeclaringClass()
                                        .isInterface())
                                .as(method.toString())
                                .isFalse());
            }
        }
    }
}
