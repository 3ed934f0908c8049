package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients do wrong, or have done to them, in each phase of a request. One server connection, so that all meet on it. */
@Timeout(60)
class ClientFaultTest {
    /** The time in which a test cancels a request, on a machine that pauses now and then. */
    private static final Duration SLOW = Duration.ofSeconds(5);

    private final LeakWatch leaks = new LeakWatch();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch gate = new CountDownLatch(1);
    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.procedure("wait_for_the_gate", _ -> waitForTheGate()),
                settings ->
                        settings.maxConnections(1).minIdle(0).queue(new QueueSettings(Duration.ofSeconds(30), 100)));
    }

    private int waitForTheGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    @AfterEach
    void stop() {
        await().untilAsserted(() -> {
            assertThat(fixture.proxy.glance("one").pool().waiting()).isZero();
            assertThat(fixture.proxy.glance("one").pool().active()).isZero();
        });
        assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        threads.close();
        fixture.close();
        leaks.assertNone();
        leaks.close();
    }

    @Test
    void aClientThatVanishesWhileQueuedLeavesTheQueue() throws Exception {
        try (Connection holder = fixture.connect()) {
            Connection queued = fixture.connect();
            run(holder, "BEGIN TRANSACTION");
            Future<?> request = threads.submit(() -> ask(queued, "SELECT 1"));
            awaitWaiting(1);
            queued.abort(Runnable::run);
            awaitWaiting(0);
            assertThatThrownBy(request::get).hasCauseInstanceOf(SQLException.class);
            assertThat(ask(holder, "SELECT @@TRANCOUNT")).isEqualTo("1");
            run(holder, "COMMIT");
        }
    }

    @Test
    void aRequestThatIsHalfSentWhenItsClientVanishesNeverRuns() throws Exception {
        try (Connection other = fixture.connect()) {
            run(other, "CREATE TABLE notes (id INT)");
            RawClient half = RawClient.loggedIn(fixture.proxy.port());
            // So that the connection is its own, and no reset rides on what follows, whose answer would show the half.
            half.sendBatch("SELECT 1");
            half.response();
            half.sendUnfinished("INSERT INTO notes VALUES (1)");
            awaitActive(1);
            long requests = fixture.server.counters().requests();
            half.close();
            awaitNoSession();
            assertThat(fixture.server.counters().requests())
                    .as("nothing was added to the half")
                    .isEqualTo(requests);
            assertThat(ask(other, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
        }
    }

    @Test
    void aClientThatClosesItsSideWhileItsRequestRunsIsTakenForOneThatVanished() throws Exception {
        try (Connection other = fixture.connect();
                RawClient running = RawClient.loggedIn(fixture.proxy.port())) {
            running.sendBatch("WAITFOR DELAY '00:00:30'; SELECT 1");
            awaitActive(1);
            running.endOutput();
            assertThat(running.isHungUpOn()).isTrue();
            assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
            assertThat(fixture.server.counters().attentions()).isEqualTo(1);
        }
    }

    @Test
    void aResponseThatRunsWhenItsClientVanishesIsCancelled() throws Exception {
        try (Connection other = fixture.connect()) {
            Connection running = fixture.connect();
            Future<?> request = threads.submit(() -> ask(running, "WAITFOR DELAY '00:00:30'; SELECT 1"));
            awaitActive(1);
            running.abort(Runnable::run);
            assertThat(ask(other, "SELECT @@TRANCOUNT")).isEqualTo("0");
            assertThat(fixture.server.counters().attentions()).isEqualTo(1);
            assertThatThrownBy(request::get).hasCauseInstanceOf(SQLException.class);
        }
    }

    @Test
    void aQueuedRequestCanBeCancelled() throws Exception {
        try (Connection holder = fixture.connect();
                Connection queued = fixture.connect();
                Connection queuedJtds = fixture.connectJtds()) {
            run(holder, "BEGIN TRANSACTION");
            for (Connection each : new Connection[] {queued, queuedJtds}) {
                try (Statement statement = each.createStatement()) {
                    Future<?> request = threads.submit(() -> statement.executeQuery("SELECT 1"));
                    awaitWaiting(1);
                    statement.cancel();
                    assertThatThrownBy(request::get).hasCauseInstanceOf(SQLException.class);
                    awaitWaiting(0);
                }
            }
            run(holder, "COMMIT");
            assertThat(ask(queued, "SELECT 2")).isEqualTo("2");
            assertThat(ask(queuedJtds, "SELECT 3")).isEqualTo("3");
            assertThat(fixture.server.counters().attentions()).isZero();
        }
    }

    @Test
    void aRequestCanBeCancelledWhileItsConnectionIsPrepared() throws Exception {
        try (Connection monday = fixture.connect();
                Connection other = fixture.connect();
                Statement statement = monday.createStatement()) {
            run(monday, "SET DATEFIRST 1");
            assertThat(ask(other, "SELECT @@DATEFIRST")).isEqualTo("7");
            fixture.server.misbehave(Misbehaviour.NONE.withSlow(SLOW));
            Future<?> request = threads.submit(() -> statement.executeQuery("SELECT 1"));
            await().until(() -> fixture.server.counters().delayed() == 1);
            statement.cancel();
            assertThatThrownBy(request::get).hasCauseInstanceOf(SQLException.class);
            fixture.server.misbehave(Misbehaviour.NONE);
            assertThat(ask(monday, "SELECT @@DATEFIRST")).isEqualTo("1");
            assertThat(ask(other, "SELECT @@DATEFIRST")).isEqualTo("7");
        }
    }

    @Test
    void anAttentionThatCrossesTheEndOfItsResponseIsAcknowledged() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch("SELECT 1");
            assertThat(client.doneStatus() & DoneStatus.ATTN).isZero();
            client.sendAttention();
            assertThat(client.doneStatus() & DoneStatus.ATTN).isNotZero();
            client.sendBatch("SELECT 2");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aRequestThatIsGivenUpHalfWayDoesNothingAndTheSessionGoesOn() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            client.sendUnfinished("SET DATEFIRST 3; BEGIN TRAN");
            awaitActive(1);
            client.packet(
                    PacketType.SQL_BATCH, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE, Unpooled.EMPTY_BUFFER);
            assertThat(client.doneStatus() & DoneStatus.ERROR).isNotZero();
            awaitNoSession();
            assertThat(ask(other, "SELECT CONCAT(@@DATEFIRST, @@TRANCOUNT)")).isEqualTo("70");
            client.sendBatch("IF @@DATEFIRST <> 7 RAISERROR('leaked', 16, 1)");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aClientThatCanShareNoMoreMayGiveUpARequest() throws Exception {
        try (RawClient client = loggedInByOldTds()) {
            // Over TDS 7.1 the server may be a Babelfish, whose reset does not mend this: the connection is the
            // client's own.
            client.packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, oldBatch("SET ANSI_DEFAULTS OFF"));
            client.response();
            client.packet(PacketType.SQL_BATCH, 0, oldBatch("SET DATEFIRST 3"));
            client.packet(
                    PacketType.SQL_BATCH, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE, Unpooled.EMPTY_BUFFER);
            client.response();
            assertHolds(client, "@@DATEFIRST = 7 AND @@OPTIONS & 32 = 0");
        }
    }

    @Test
    void aCancelLeavesTheTransactionOpenWhereNobodyTellsOfIt() throws Exception {
        try (RawClient client = loggedInByOldTds()) {
            client.packet(
                    PacketType.SQL_BATCH,
                    PacketHeader.STATUS_EOM,
                    oldBatch(
                            "BEGIN TRAN; SET DATEFIRST 3; RAISERROR('begun', 0, 1) WITH NOWAIT; WAITFOR DELAY '00:01:00'"));
            client.skip(1);
            client.sendAttention();
            client.response();
            assertHolds(client, "@@TRANCOUNT = 1 AND @@DATEFIRST = 3");
        }
    }

    @Test
    void aClientIsNotLeftToBelieveInATransactionThatMayBeLost() throws Exception {
        try (RawClient client = loggedInByOldTds()) {
            client.packet(
                    PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, oldBatch("BEGIN TRAN; WAITFOR DELAY '00:01:00'"));
            awaitActive(1);
            client.sendAttention();
            client.response();
            client.response(); // the acknowledgement
            assertThatThrownBy(client::response).isInstanceOf(EOFException.class);
        }
    }

    private RawClient loggedInByOldTds() throws Exception {
        RawClient client = new RawClient(fixture.proxy.port());
        client.sendLogin(TdsVersion.V7_1, ProxyFixture.PASSWORD);
        client.response();
        return client;
    }

    private static ByteBuf oldBatch(String sql) {
        return RawClient.batch(sql, TdsVersion.V7_1);
    }

    private static void assertHolds(RawClient client, String condition) throws Exception {
        client.packet(
                PacketType.SQL_BATCH,
                PacketHeader.STATUS_EOM,
                oldBatch("IF NOT (" + condition + ") RAISERROR('it is otherwise', 16, 1)"));
        ByteBuf answer = client.response();
        assertThat(answer.getUnsignedShortLE(answer.writerIndex() - 8) & DoneStatus.ERROR)
                .as(condition)
                .isZero();
    }

    @Test
    void aRequestRightBehindOneThatIsGivenUpIsServed() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.packet(PacketType.SQL_BATCH, 0, RawClient.batch("SET DATEFIRST 3; BEGIN TRAN"));
            client.packet(
                    PacketType.SQL_BATCH, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE, Unpooled.EMPTY_BUFFER);
            client.sendBatch("IF @@DATEFIRST <> 7 RAISERROR('leaked', 16, 1)");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isNotZero();
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aRequestCanBeCancelledWhenOnlyAPartOfItHasCome() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            // So that the connection is its own, and no reset rides on what follows.
            client.sendBatch("SELECT 1");
            client.response();
            client.sendUnfinished("SET DATEFIRST 3; BEGIN TRAN");
            awaitActive(1);
            client.sendAttention();
            assertThat(client.doneStatus()).isEqualTo(DoneStatus.ATTN);
            awaitNoSession();
            assertThat(ask(other, "SELECT CONCAT(@@DATEFIRST, @@TRANCOUNT)")).isEqualTo("70");
            client.sendBatch("IF @@DATEFIRST <> 7 RAISERROR('leaked', 16, 1)");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aThousandRequestsSentAheadAndCancelledAreAllAnswered() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch("EXEC wait_for_the_gate");
            awaitActive(1);
            for (int i = 0; i < 1000; i++) {
                client.sendBatch("");
                client.sendAttention();
            }
            gate.countDown();
            int acknowledged = 0;
            while (acknowledged < 1000) {
                acknowledged += (client.doneStatus() & DoneStatus.ATTN) != 0 ? 1 : 0;
            }
            client.sendBatch("SELECT 1");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aQueuedRequestThatMakesNoSenseEndsItsOwnClientAlone() throws Exception {
        try (Connection holder = fixture.connect();
                RawClient queued = RawClient.loggedIn(fixture.proxy.port())) {
            run(holder, "BEGIN TRANSACTION");
            ByteBuf nonsense = Unpooled.buffer().writeIntLE(1).writeIntLE(-1).writeIntLE(-1);
            queued.packet(PacketType.RPC, PacketHeader.STATUS_EOM, nonsense);
            awaitWaiting(1);
            run(holder, "COMMIT");
            assertThat(queued.isHungUpOn()).isTrue();
            assertThat(ask(holder, "SELECT 5")).isEqualTo("5");
        }
    }

    @Test
    void nonsenseSentAheadEndsItsOwnClientAloneWhenItsTurnComes() throws Exception {
        try (RawClient ahead = RawClient.loggedIn(fixture.proxy.port());
                RawClient other = RawClient.loggedIn(fixture.proxy.port())) {
            long logins = fixture.server.counters().logins();
            ahead.sendBatch("EXEC wait_for_the_gate");
            ahead.packet(PacketType.LOGIN7, PacketHeader.STATUS_EOM, Unpooled.EMPTY_BUFFER);
            awaitActive(1);
            other.sendBatch("SELECT 1");
            awaitWaiting(1);
            gate.countDown();
            assertThat(other.doneStatus() & DoneStatus.ERROR).isZero();
            assertThat(ahead.isHungUpOn()).isTrue();
            assertThat(fixture.server.counters().logins()).isEqualTo(logins);
        }
    }

    @Test
    void aClientThatDoesNotReadCanBeGotRidOf() throws Exception {
        try (Connection other = fixture.connect()) {
            run(other, "CREATE TABLE wide (text NVARCHAR(4000))");
            run(other, "INSERT INTO wide VALUES (REPLICATE(N'x', 4000))");
            for (int i = 0; i < 7; i++) {
                run(other, "INSERT INTO wide SELECT text FROM wide");
            }
            RawClient deaf = RawClient.loggedIn(fixture.proxy.port());
            long before = bytesReceived();
            // 128 MB: more than the network takes off the proxy's hands, on whatever kernel.
            deaf.sendBatch("SELECT a.text FROM wide a CROSS JOIN wide b");
            // Its response is on the way, and stands still: more than a megabyte has come, and nobody reads it.
            await().until(() -> bytesReceived() - before > 1 << 20);
            deaf.close();
            assertThat(ask(other, "SELECT COUNT(*) FROM wide")).isEqualTo("128");
        }
    }

    private long bytesReceived() {
        return fixture.proxy.glance("one").pool().traffic().bytesReceived();
    }

    private void awaitWaiting(int count) {
        await().until(() -> fixture.proxy.glance("one").pool().waiting() == count);
    }

    /** The connection is not trusted any more: it ends, and is not used again. */
    private void awaitNoSession() {
        await().until(() -> fixture.server.counters().sessionsOpen() == 0);
    }

    private void awaitActive(int count) {
        await().until(() -> fixture.proxy.glance("one").pool().active() == count);
    }
}
