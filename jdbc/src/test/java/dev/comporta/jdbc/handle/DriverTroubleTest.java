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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a driver throws when a loan begins or ends: the connection goes back, once, and to nobody else. */
class DriverTroubleTest {
    private final StubServer server = new StubServer();
    private final List<Session> returned = new ArrayList<>();

    private Session open() throws SQLException {
        return new Opener(
                        "jdbc:stub:x",
                        server,
                        Dialect.GENERIC,
                        new Properties(),
                        Credentials.of("app", "secret"),
                        SessionDefaults.DRIVERS,
                        LossRule.NONE,
                        null,
                        Duration.ofSeconds(30))
                .open();
    }

    private Connection lend(Session session) throws SQLException {
        return ConnectionHandle.lend(session, returned::add, null);
    }

    static Stream<Throwable> thrown() {
        return Stream.of(
                new IllegalStateException("a driver's bug"),
                new StackOverflowError(),
                new InternalError("of the virtual machine"),
                new NoClassDefFoundError("a/drivers/Part"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void aLoanThatCanNotBeginGivesItsConnectionBack(Throwable trouble) throws SQLException {
        Session session = open();
        server.trouble = name -> name.equals("beginRequest") ? trouble : null;
        assertThatThrownBy(() -> lend(session)).isSameAs(trouble);
        assertThat(returned).containsExactly(session);
        assertThat(session.isLost()).isTrue();
    }

    static Stream<Arguments> atTheEnd() {
        return Stream.of("clearWarnings", "endRequest", "Statement.close")
                .flatMap(where -> thrown().map(trouble -> Arguments.of(where, trouble)));
    }

    @ParameterizedTest
    @MethodSource("atTheEnd")
    void aLoanThatDoesNotEndWellGivesItsConnectionBackAsLost(String where, Throwable trouble) throws SQLException {
        Session session = open();
        Connection connection = lend(session);
        connection.createStatement();
        server.trouble = name -> name.equals(where) ? trouble : null;
        connection.close();
        assertThat(returned).containsExactly(session);
        assertThat(session.isLost()).isTrue();
        assertThat(connection.isClosed()).isTrue();
    }

    /** Its handle would reach the next client's session. */
    @Test
    void aStatementThatCanNotBeClosedEndsTheConnection() throws SQLException {
        Session session = open();
        Connection connection = lend(session);
        connection.createStatement();
        server.trouble = name -> name.equals("Statement.close") ? new SQLException("still open", "HY000") : null;
        connection.close();
        assertThat(returned).containsExactly(session);
        assertThat(session.isLost()).isTrue();
    }
}
