package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.Unpooled;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server does wrong in each phase of a request, on a bucket of one connection. */
@Timeout(60)
class ServerFaultTest {
    private static final int SERVER_UNAVAILABLE = 50_003;
    private static final int LOGIN_FAILED = 18_456;

    private final LeakWatch leaks = new LeakWatch();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ProxyFixture fixture;
    private Connection client;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                settings ->
                        settings.maxConnections(1).minIdle(0).queue(new QueueSettings(Duration.ofSeconds(30), 100)));
        client = fixture.connect();
        run(client, "CREATE TABLE notes (id INT)");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        await().until(() -> fixture.proxy.glance("one").clients() == 0);
        assertThat(fixture.proxy.glance("one").pool().waiting()).isZero();
        assertThat(fixture.proxy.glance("one").pool().active()).isZero();
        assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        threads.close();
        fixture.close();
        leaks.assertNone();
        leaks.close();
    }

    @Test
    void anIdleConnectionThatDiesIsNotNoticed() throws Exception {
        run(client, "SET DATEFIRST 3");
        kill(spid());
        await().until(() -> fixture.proxy.glance("one").pool().idle() == 0);
        assertThat(ask(client, "SELECT @@DATEFIRST")).isEqualTo("3");
    }

    @Test
    void anErrorThatEndsTheServersSessionReachesTheClientAndCostsNobodyElse() throws Exception {
        Connection other = fixture.connect();
        assertThatThrownBy(() -> run(client, "RAISERROR('the disk is gone', 20, 1) WITH LOG"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("the disk is gone");
        // What SQL Server does not let live, the driver does not either.
        assertThat(client.isClosed()).isTrue();
        // The server closes it behind that error; a request that came before would be lost with it.
        await().until(() -> fixture.proxy.glance("one").pool().connections().isEmpty());
        assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        client = other;
        assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
    }

    @Test
    void aServerThatDiesBeforeItAnswersIsToldAndTheSessionGoesOn() throws Exception {
        int spid = spid();
        Future<String> request = running("WAITFOR DELAY '00:00:30'; SELECT 1");
        kill(spid);
        assertThatThrownBy(request::get).cause().isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getErrorCode()).isEqualTo(SERVER_UNAVAILABLE);
            assertThat(e.getMessage()).contains("may have taken effect or not");
        });
        assertThat(ask(client, "SELECT 2")).isEqualTo("2");
    }

    @Test
    void aServerThatDiesInTheMiddleOfAnAnswerEndsTheClient() throws Exception {
        fixture.server.misbehave(Misbehaviour.NONE.withCutAfter(20_000));
        assertThatThrownBy(() -> ask(client, "SELECT REPLICATE(CAST(N'x' AS NVARCHAR(MAX)), 20000)"))
                .isInstanceOf(SQLException.class);
        fixture.server.misbehave(Misbehaviour.NONE);
        assertThat(client.isValid(5)).isFalse();
        try (Connection next = fixture.connect()) {
            assertThat(ask(next, "SELECT 2")).isEqualTo("2");
        }
    }

    @Test
    void aServerThatDiesInsideATransactionEndsTheClient() throws Exception {
        int spid = spid();
        run(client, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
        kill(spid);
        await().until(() -> fixture.proxy.glance("one").clients() == 0);
        assertThatThrownBy(() -> run(client, "COMMIT")).isInstanceOf(SQLException.class);
        try (Connection next = fixture.connect()) {
            assertThat(ask(next, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
        }
    }

    @Test
    void aCommitWhoseAnswerIsLostEndsTheClient() throws Exception {
        int spid = spid();
        run(client, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
        Future<String> commit = running("WAITFOR DELAY '00:00:30'; COMMIT; SELECT 1");
        kill(spid);
        assertThatThrownBy(commit::get).cause().isInstanceOf(SQLException.class);
        await().until(() -> fixture.proxy.glance("one").clients() == 0);
    }

    @Test
    void aServerThatDiesWhileARequestIsSentIsToldWhenAllOfItHasCome() throws Exception {
        int spid = spid();
        try (RawClient half = RawClient.loggedIn(fixture.proxy.port())) {
            // Another login profile, so another pool: the connection is replaced by one of its own.
            half.sendUnfinished("SELECT ");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 1);
            kill(spid + 1);
            await().until(() -> fixture.proxy.glance("one").pool().active() == 0);
            half.packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, Unpooled.EMPTY_BUFFER);
            assertThat(half.errorNumber()).isEqualTo(SERVER_UNAVAILABLE);
            half.sendBatch("SELECT 1");
            assertThat(half.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aRequestWhoseServerDiedWhileItWasSentCanStillBeCancelled() throws Exception {
        int spid = spid();
        try (RawClient half = RawClient.loggedIn(fixture.proxy.port())) {
            half.sendUnfinished("SELECT ");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 1);
            kill(spid + 1);
            await().until(() -> fixture.proxy.glance("one").pool().active() == 0);
            half.sendAttention();
            assertThat(half.doneStatus() & DoneStatus.ERROR).isNotZero();
            assertThat(half.doneStatus() & DoneStatus.ATTN).isNotZero();
            half.sendBatch("SELECT 1");
            assertThat(half.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aServerThatDiesBeforeAnyOfTheRequestWasSentCostsTheClientNothing() throws Exception {
        int spid = spid();
        run(client, "SET DATEFIRST 3");
        try (Connection other = fixture.connect()) {
            ask(other, "SELECT 1");
        }
        fixture.server.misbehave(Misbehaviour.NONE.withSlow(Duration.ofSeconds(5)));
        Future<String> request = threads.submit(() -> ask(client, "SELECT @@DATEFIRST"));
        // The proxy's own message is held up, so the request has not been sent.
        await().until(() -> fixture.server.counters().delayed() == 1);
        fixture.server.misbehave(Misbehaviour.NONE);
        kill(spid);
        assertThat(request.get()).isEqualTo("3");
    }

    @Test
    void aServerThatIsDownIsToldAndTheSessionGoesOnWhenItIsBack() throws Exception {
        fixture.settings(ProxyFixture::refusing);
        int spid = spid();
        fixture.server.misbehave(Misbehaviour.NONE.withDeadPort(true));
        kill(spid);
        await().until(() -> fixture.proxy.glance("one").pool().idle() == 0);
        assertRefused(SERVER_UNAVAILABLE, () -> ask(client, "SELECT 1"));
        fixture.server.misbehave(Misbehaviour.NONE);
        awaitAnswer("2");
    }

    @Test
    void aServerThatSpeaksNonsenseIsCutOffAndTheSessionGoesOn() throws Exception {
        // A machine that pauses lets the proxy's own reset meet the nonsense first: then no connection can be opened.
        fixture.settings(ProxyFixture::refusing);
        fixture.server.misbehave(Misbehaviour.NONE.withGarbage(true));
        assertRefused(SERVER_UNAVAILABLE, () -> ask(client, "SELECT 1"));
        fixture.server.misbehave(Misbehaviour.NONE);
        // Cut off without a word, the server does not say when it has noticed.
        await().until(() -> fixture.server.counters().sessionsOpen() == 0);
        awaitAnswer("3");
        try (Connection next = fixture.connect()) {
            assertThat(ask(next, "SELECT 2")).isEqualTo("2");
        }
    }

    @Test
    void aServerThatRejectsLoginsFromNowOnIsToldToTheSessionAndQuotedToANewLogin() throws Exception {
        int spid = spid();
        fixture.server.misbehave(Misbehaviour.NONE.withRefuseLogins(true));
        kill(spid);
        await().until(() -> fixture.proxy.glance("one").pool().idle() == 0);
        assertRefused(SERVER_UNAVAILABLE, () -> ask(client, "SELECT 1"));
        assertThatThrownBy(() -> DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                        + ";encrypt=false;databaseName=Other;user=sa;password=" + ProxyFixture.PASSWORD))
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getErrorCode()).isEqualTo(LOGIN_FAILED);
                    assertThat(e.getMessage()).contains("Login failed for user 'sa'");
                });
        fixture.server.misbehave(Misbehaviour.NONE);
        awaitAnswer("3");
    }

    private void awaitAnswer(String value) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> ask(client, "SELECT " + value).equals(value));
    }

    private int spid() throws SQLException {
        return Integer.parseInt(ask(client, "SELECT @@SPID"));
    }

    private void kill(int spid) {
        assertThat(fixture.server.kill(spid)).isTrue();
    }

    /** A request of the client's that has reached its server connection. */
    private Future<String> running(String sql) {
        long before = fixture.server.counters().requests();
        Callable<String> request = () -> ask(client, sql);
        Future<String> result = threads.submit(request);
        await().until(() -> fixture.server.counters().requests() > before);
        return result;
    }

    private static void assertRefused(int number, ThrowingCallable request) {
        getsError(number, request);
    }
}
