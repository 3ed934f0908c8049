package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.Unpooled;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who stalls, client or server, holds a server connection for a bounded time, or none at all. */
@Timeout(60)
class StalledTest {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int QUERY_TIMEOUT = 50006;

    private final CountDownLatch gate = new CountDownLatch(1);
    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.procedure("wait_for_the_gate", _ -> waitForTheGate()),
                settings -> settings.maxConnections(1).minIdle(0));
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
        gate.countDown();
        fixture.close();
    }

    @Test
    void halfARequestHoldsNoServerConnection() throws Exception {
        try (RawClient half = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            half.packet(PacketType.SQL_BATCH, 0, RawClient.batch("SELECT "));
            for (int i = 0; i < 20; i++) {
                assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            }
            half.packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, Unpooled.wrappedBuffer(new byte[] {'1', 0}));
            assertThat(half.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aLargeRequestThatStallsIsEndedAndItsConnectionFree() throws Exception {
        try (RawClient half = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            half.sendUnfinished("SELECT 1");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 1);
            fixture.limits(stalled(SOON));
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            assertThat(half.isHungUpOn()).isTrue();
        }
    }

    @Test
    void aSmallRequestThatStallsIsEndedToo() throws Exception {
        try (RawClient half = RawClient.loggedIn(fixture.proxy.port())) {
            half.packet(PacketType.SQL_BATCH, 0, RawClient.batch("SELECT "));
            fixture.limits(stalled(SOON));
            assertThat(half.isHungUpOn()).isTrue();
        }
    }

    @Test
    void aServerThatDoesNotTakeTheCancelOfAQueryTimeoutLosesItsConnection() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            client.sendBatch("EXEC wait_for_the_gate");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 1);
            fixture.server.misbehave(Misbehaviour.NONE.withStopReading(true));
            fixture.limits(new ClientLimits(Duration.ZERO, Duration.ZERO, SOON, Duration.ZERO, Duration.ZERO, SOON));
            assertThat(client.errorNumber()).isEqualTo(QUERY_TIMEOUT);
            assertThat(closing()).isOne();
            fixture.server.misbehave(Misbehaviour.NONE);
            fixture.limits(ClientLimits.NONE);
            gate.countDown();
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            client.sendBatch("SELECT 1");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aServerThatDoesNotAcknowledgeAClientsCancelLosesItsConnection() throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            client.sendBatch("EXEC wait_for_the_gate");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 1);
            fixture.server.misbehave(Misbehaviour.NONE.withStopReading(true));
            client.sendAttention();
            fixture.limits(cancelled(SOON));
            assertThat(client.isHungUpOn()).isTrue();
            assertThat(closing()).isOne();
            fixture.server.misbehave(Misbehaviour.NONE);
            gate.countDown();
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
    }

    /** Before a connection with other settings serves the client, the proxy has it reset: here, by a server that is silent. */
    @Test
    void aServerThatDoesNotAnswerTheProxyItselfLosesItsConnection() throws Exception {
        try (RawClient first = RawClient.loggedIn(fixture.proxy.port());
                RawClient second = RawClient.loggedIn(fixture.proxy.port())) {
            first.sendBatch("SET DATEFIRST 3");
            assertThat(first.doneStatus() & DoneStatus.ERROR).isZero();
            second.sendBatch("SELECT 1");
            assertThat(second.doneStatus() & DoneStatus.ERROR).isZero();
            fixture.server.misbehave(Misbehaviour.NONE.withStopReading(true));
            first.sendBatch("SELECT @@DATEFIRST");
            await().until(() -> fixture.proxy.glance("one").pool().active() == 1);
            fixture.limits(cancelled(SOON));
            await().until(() -> closing() == 1);
            fixture.server.misbehave(Misbehaviour.NONE);
            assertThat(first.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    private int closing() {
        return fixture.proxy.glance("one").pool().count(ConnectionState.CLOSING);
    }

    private static ClientLimits cancelled(Duration most) {
        return new ClientLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, most);
    }

    private static ClientLimits stalled(Duration most) {
        return new ClientLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, most, Duration.ZERO);
    }
}
