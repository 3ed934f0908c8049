package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server leaves behind whose reset is not SQL Server's does not reach another client. */
@Timeout(60)
class BabelfishServerTest {
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
    void contextThatAResetLeavesIsNotSeen() throws Exception {
        run(client, "EXEC sp_set_session_context N'tenant', N'seven'");
        client.close();
        assertThat(ask(other, "SELECT CAST(SESSION_CONTEXT(N'tenant') AS NVARCHAR(20))"))
                .isNull();
        try (Connection third = fixture.connect()) {
            run(third, "SET CONTEXT_INFO 0x0102");
        }
        assertThat(ask(other, "SELECT CONTEXT_INFO()")).isNull();
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

    @Test
    void languageAndDateFormatAreReplayed() throws Exception {
        run(client, "SET DATEFIRST 3; SET DATEFORMAT dmy; SET LANGUAGE us_english");
        assertThat(ask(other, "SELECT @@DATEFIRST")).isEqualTo("7");
        assertThat(ask(client, "SELECT @@DATEFIRST")).isEqualTo("3");
    }

    /** Its word for the end of the inner one is the same as for the end of all. */
    @Test
    void aNestedTransactionOfTheTransactionManagerIsNotSharedAfterItsInnerEnd() throws Exception {
        try (RawClient nested = RawClient.loggedIn(fixture.proxy.port())) {
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, begin());
            nested.response();
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, begin());
            nested.response();
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, commit());
            nested.response();
            nested.sendBatch("SELECT @@TRANCOUNT");
            nested.response();
            assertThat(fixture.proxy.glance("one").pool().active()).isEqualTo(1);
            nested.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, commit());
            nested.response();
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

    private static ByteBuf begin() {
        return body(new TransactionRequest.Begin(IsolationLevel.READ_COMMITTED, ""));
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
