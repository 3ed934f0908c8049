package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.IsolationLevel;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.TransactionRequest;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server leaves behind whose reset is not SQL Server's does not reach another client. */
@Timeout(60)
class BabelfishServerTest {
    /** A transaction that begins, alone or with the end of the one before. */
    private static final TransactionRequest.Begin ANOTHER =
            new TransactionRequest.Begin(IsolationLevel.READ_COMMITTED, "");

    private ProxyFixture fixture;
    private Connection client;
    private Connection other;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.habits(ServerHabits.BABELFISH),
                settings -> settings.maxConnections(1).minIdle(0));
        client = fixture.connect();
        other = fixture.connect();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        other.close();
        fixture.close();
    }

    @Test
    void theDatabaseOfAnotherIsNotSeen() throws Exception {
        run(client, "USE Other");
        assertThat(ask(other, "SELECT DB_NAME()")).isEqualTo("AppDB");
        assertThat(ask(client, "SELECT DB_NAME()")).isEqualTo("Other");
        client.close();
        assertThat(ask(other, "SELECT DB_NAME()")).isEqualTo("AppDB");
    }

    /** PostgreSQL fixes what a transaction sees at its first query: it must be one of the client's. */
    @Test
    void nothingIsAskedInATransactionBeforeItsClientAsks() throws Exception {
        run(client, "BEGIN TRANSACTION");
        run(client, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT");
        assertThat(ask(client, "SELECT @@TRANCOUNT")).isEqualTo("1");
        run(client, "COMMIT");
        assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
    }

    @Test
    void nothingIsAskedInATransactionOfTheTransactionManagerBeforeItsClientAsks() throws Exception {
        try (RawClient begun = RawClient.loggedIn(fixture.proxy.port());
                RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            manage(begun, ANOTHER);
            assertNoError(begun.answerTo("SET TRANSACTION ISOLATION LEVEL SNAPSHOT"));
            manage(begun, new TransactionRequest.Commit("", ANOTHER));
            assertNoError(begun.answerTo("SET TRANSACTION ISOLATION LEVEL SNAPSHOT"));
            manage(begun, new TransactionRequest.Rollback("", ANOTHER));
            assertNoError(begun.answerTo("SET TRANSACTION ISOLATION LEVEL SNAPSHOT"));
            assertThat(begun.answerTo("SELECT @@TRANCOUNT")).contains("ROW [1]");
            next.sendBatch("SELECT @@TRANCOUNT");
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            manage(begun, new TransactionRequest.Commit("", null));
            assertThat(next.tokens()).contains("ROW [0]");
        }
    }

    @Test
    void contextThatAResetLeavesIsNotSeen() throws Exception {
        run(client, "EXEC sp_set_session_context N'tenant', N'seven'");
        client.close();
        assertThat(ask(other, "SELECT CAST(SESSION_CONTEXT(N'tenant') AS NVARCHAR(20))"))
                .isNull();
        try (Connection third = fixture.connect()) {
            run(third, "SET CONTEXT_INFO 0x0102");
        }
        assertThat(ask(other, "SELECT CONTEXT_INFO()")).isNull();
        // Closed on purpose: nothing has failed.
        BucketSnapshot pool = fixture.proxy.glance("one").pool();
        assertThat(pool.closed()).containsEntry(CloseReason.NOT_RESETTABLE, 2L);
        assertThat(pool.traffic().resetFailures()).isZero();
    }

    /** Its reset turns them on after SET ANSI_DEFAULTS, which no text of the request shows here. */
    @Test
    void implicitTransactionsThatAResetTurnsOnAreNotSeen() throws Exception {
        run(client, "CREATE TABLE notes (id INT)");
        run(client, "EXEC('SET ANSI_DEFAULTS ON')");
        for (int i = 0; i < 3; i++) {
            assertThat(ask(other, "SELECT @@OPTIONS & 2")).isEqualTo("0");
            ask(other, "SELECT COUNT(*) FROM notes");
            assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
            run(client, "EXEC('SET ANSI_DEFAULTS OFF')");
        }
        client.close();
        assertThat(ask(other, "SELECT @@OPTIONS & 2")).isEqualTo("0");
    }

    /** Whether the SET has run is not told: with them on, a plain SELECT begins a transaction. */
    @Test
    void aTransactionBegunByASelectWhereImplicitOnesMayBeOnIsNotLeftToAnother() throws Exception {
        run(client, "CREATE TABLE notes (id INT)");
        run(client, "IF 1 = 1 SET IMPLICIT_TRANSACTIONS ON");
        ask(client, "SELECT COUNT(*) FROM notes");
        client.close();
        assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
        try (Connection failing = fixture.connect()) {
            assertThatThrownBy(() -> run(failing, "SET IMPLICIT_TRANSACTIONS ON; RAISERROR('no', 16, 1)"))
                    .isInstanceOf(SQLException.class);
            ask(failing, "SELECT COUNT(*) FROM notes");
        }
        assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
        run(other, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1); COMMIT");
        other.close();
        try (Connection third = fixture.connect()) {
            assertThat(ask(third, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
        }
    }

    /** It keeps options that the text of a call sets, and then a SELECT begins a transaction. */
    @Test
    void implicitTransactionsThatACallTurnsOnAreNotSeen() throws Exception {
        run(client, "CREATE TABLE notes (id INT)");
        try (PreparedStatement call = client.prepareStatement("SET IMPLICIT_TRANSACTIONS ON; SELECT ?")) {
            call.setInt(1, 1);
            call.execute();
        }
        ask(client, "SELECT COUNT(*) FROM notes");
        client.close(); // it keeps its connection until then
        assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
        run(other, "INSERT INTO notes VALUES (1)");
        other.close();
        try (Connection third = fixture.connect()) {
            assertThat(ask(third, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
        }
    }

    /** Its reset leaves it on, and then no row without a value of its own can be inserted. */
    @Test
    void identityInsertThatAResetLeavesIsNotSeen() throws Exception {
        run(client, "CREATE TABLE numbered (id INT IDENTITY(1, 1), note INT)");
        run(client, "SET IDENTITY_INSERT numbered ON");
        client.close();
        run(other, "INSERT INTO numbered (note) VALUES (1)");
        try (Connection calling = fixture.connect();
                PreparedStatement call = calling.prepareStatement("SET IDENTITY_INSERT numbered ON; SELECT ?")) {
            call.setInt(1, 1);
            call.execute();
        }
        run(other, "INSERT INTO numbered (note) VALUES (2)");
        try (Connection failing = fixture.connect()) {
            String text = "SET IDENTITY_INSERT numbered ON; RAISERROR('no', 16, 1); SET IDENTITY_INSERT numbered OFF";
            assertThatThrownBy(() -> run(failing, text)).isInstanceOf(SQLException.class);
        }
        run(other, "INSERT INTO numbered (note) VALUES (3)");
        assertThat(ask(other, "SELECT COUNT(*) FROM numbered")).isEqualTo("3");
    }

    @Test
    void identityInsertThatIsTurnedOffAgainCostsNoConnection() throws Exception {
        run(client, "CREATE TABLE numbered (id INT IDENTITY(1, 1), note INT)");
        long logins = fixture.server.counters().logins();
        run(
                client,
                "SET IDENTITY_INSERT numbered ON; INSERT INTO numbered (id, note) VALUES (7, 1); SET IDENTITY_INSERT numbered OFF");
        run(other, "INSERT INTO numbered (note) VALUES (1)");
        assertThat(fixture.server.counters().logins()).isEqualTo(logins);
    }

    /** They end with a procedure alone. */
    @Test
    void aTemporaryTableThatOutlivesItsTextStaysWithItsClient() throws Exception {
        try (RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            try (PreparedStatement call = client.prepareStatement("CREATE TABLE #mine (id INT); SELECT ?")) {
                call.setInt(1, 1);
                call.execute();
            }
            next.sendBatch("SELECT @@TRANCOUNT");
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            assertThat(ask(client, "SELECT COUNT(*) FROM #mine")).isEqualTo("0");
            client.close();
            assertThat(next.tokens()).contains("ROW [0]");

            run(other, "EXEC ('SELECT 1 AS id INTO #mine')");
            next.sendBatch("SELECT @@TRANCOUNT");
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            assertThat(ask(other, "SELECT COUNT(*) FROM #mine")).isEqualTo("1");
            other.close();
            assertThat(next.tokens()).contains("ROW [0]");
        }
    }

    @Test
    void aTransactionThatTheClientsOwnResetLeavesIsNotLeftToAnother() throws Exception {
        run(client, "CREATE TABLE notes (id INT)");
        try (RawClient resetting = RawClient.loggedIn(fixture.proxy.port())) {
            resetting.answerTo("IF 1 = 1 SET IMPLICIT_TRANSACTIONS ON");
            resetting.answerTo("SELECT COUNT(*) FROM notes");
            resetting.answerTo("SELECT 1", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION);
        }
        try (RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            assertThat(next.answerTo("SELECT @@TRANCOUNT")).contains("ROW [0]");
        }
    }

    @Test
    void languageAndDateFormatAreReplayed() throws Exception {
        run(client, "SET DATEFIRST 3; SET DATEFORMAT dmy; SET LANGUAGE us_english");
        String dates = "SELECT CONCAT(@@DATEFIRST, '/', date_format, '/', @@LANGUAGE) FROM sys.dm_exec_sessions"
                + " WHERE session_id = @@SPID";
        assertThat(ask(other, dates)).isEqualTo("7/mdy/us_english");
        long replays = fixture.proxy.glance("one").relay().stateReplays();
        assertThat(ask(client, dates)).isEqualTo("3/dmy/us_english");
        assertThat(fixture.proxy.glance("one").relay().stateReplays()).isEqualTo(replays + 1);
    }

    /** Its word for the end of the inner one is the same as for the end of all. */
    @Test
    void aNestedTransactionOfTheTransactionManagerIsNotSharedAfterItsInnerEnd() throws Exception {
        try (RawClient nested = RawClient.loggedIn(fixture.proxy.port());
                RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, begin());
            nested.response();
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, begin());
            nested.response();
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, commit());
            nested.response();
            assertThat(nested.answerTo("SELECT @@TRANCOUNT")).contains("ROW [1]");
            next.sendBatch("SELECT @@TRANCOUNT");
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            assertThat(fixture.proxy.glance("one").pool().active()).isEqualTo(1);
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, commit());
            nested.response();
            assertThat(next.tokens()).contains("ROW [0]");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 0);
        }
    }

    @Test
    void whatTheServerDoesNotTellIsLoggedOnceForABucket() throws Exception {
        try (LogLines log = new LogLines("dev.comporta.proxy");
                ProxyFixture three = ProxyFixture.start(
                        BucketSpec.PoolMode.SESSION,
                        ServerDial.Mode.LOGIN,
                        server -> server.habits(ServerHabits.BABELFISH),
                        settings -> settings.maxConnections(3).minIdle(0));
                Connection first = three.connect();
                Connection second = three.connect();
                Connection third = three.connect()) {
            for (Connection each : List.of(first, second, third)) {
                assertThat(ask(each, "SELECT 1")).isEqualTo("1");
            }
            assertThat(three.server.counters().connections()).isGreaterThanOrEqualTo(3);
            assertThat(log.from(Level.INFO))
                    .filteredOn(line -> line.contains("@@TRANCOUNT"))
                    .hasSize(1);
        }
    }

    @Test
    void aRequestThatIsProvenHarmlessIsNotFollowedByAQuestion() throws Exception {
        ask(client, "SELECT 1");
        long before = fixture.server.counters().requests();
        for (int i = 0; i < 5; i++) {
            ask(client, "SELECT 1");
        }
        assertThat(fixture.server.counters().requests() - before).isEqualTo(5);
    }

    /** It runs what its client has withdrawn with the last packet, and earlier ones were sent on already. */
    @Test
    void whatAWithdrawnRequestHasLeftReachesNobodyElse() throws Exception {
        for (String text : List.of("BEGIN TRANSACTION", "SET CONTEXT_INFO 0x0102", "SET DATEFIRST 3")) {
            withdraw(text, "");
            withdraw(text, "CREATE TABLE #mine (id INT)");
        }
    }

    private void withdraw(String text, String before) throws Exception {
        String state = "SELECT CONCAT(@@TRANCOUNT, '/', @@DATEFIRST, '/', CAST(CONTEXT_INFO() AS INT))";
        try (RawClient withdrawing = RawClient.loggedIn(fixture.proxy.port())) {
            if (!before.isEmpty()) {
                assertNoError(withdrawing.answerTo(before));
            }
            withdrawing.sendUnfinished(text);
            withdrawing.packet(
                    PacketType.SQL_BATCH, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE, Unpooled.EMPTY_BUFFER);
            withdrawing.response().release();
            if (before.isEmpty()) {
                // Its own session is as it was, on another connection.
                assertThat(withdrawing.answerTo(state)).as(text).contains("ROW [0/7/]");
            } else {
                assertNoError(withdrawing.answerTo("SELECT COUNT(*) FROM #mine"));
            }
        }
        assertThat(ask(other, state)).as(text).isEqualTo("0/7/");
    }

    private static void manage(RawClient client, TransactionRequest.Action action) throws Exception {
        client.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, body(action));
        client.response().release();
    }

    private static void assertNoError(List<String> answer) {
        assertThat(answer).noneMatch(token -> token.startsWith("ERROR"));
    }

    private static ByteBuf begin() {
        return body(ANOTHER);
    }

    private static ByteBuf commit() {
        return body(new TransactionRequest.Commit("", null));
    }

    private static ByteBuf body(TransactionRequest.Action action) {
        ByteBuf body = Unpooled.buffer();
        new TransactionRequest(AllHeaders.AUTOCOMMIT, action).write(body, RequestFormat.of(TdsVersion.V7_4));
        return body;
    }
}
