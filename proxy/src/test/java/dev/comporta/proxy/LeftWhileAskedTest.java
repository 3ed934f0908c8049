package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.WireFormat;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that has its answer and leaves, while the server is still being asked for the transaction: what the connection
 * cost is not thrown away, and what the client left in it is.
 */
@Timeout(60)
class LeftWhileAskedTest {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final LeakWatch leaks = new LeakWatch();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.habits(ServerHabits.BABELFISH).procedure("wait_for_the_gate", _ -> waitForTheGate()),
                settings -> settings.maxConnections(1).minIdle(0));
    }

    private int waitForTheGate() {
        arrived.countDown();
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
        leaks.assertNone();
        leaks.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXEC wait_for_the_gate",
                "BEGIN TRANSACTION; EXEC wait_for_the_gate",
                "SET DATEFIRST 3; EXEC wait_for_the_gate",
            })
    void theConnectionServesTheNext(String sql) throws Exception {
        leaveWhileAsked(sql);
        fixture.server.misbehave(Misbehaviour.NONE);
        try (RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            assertThat(integer(next, "SELECT @@TRANCOUNT")).isZero();
            assertThat(integer(next, "SELECT CAST(@@DATEFIRST AS INT)")).isEqualTo(7);
        }
        assertThat(fixture.server.counters().logins()).isEqualTo(1);
        assertThat(fixture.server.engine().openTransactions()).isZero();
    }

    /** No reset of such a server takes these back, so nobody may get the connection after them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXEC sp_set_session_context N'tenant', N'seven'; EXEC wait_for_the_gate",
                "SET CONTEXT_INFO 0x0102; EXEC wait_for_the_gate",
                "SET ANSI_DEFAULTS ON; EXEC wait_for_the_gate",
                "EXEC keep_tenant; EXEC wait_for_the_gate",
            })
    void whatNoResetTakesBackEndsWithWhoLeavesInTheMiddle(String sql) throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch("CREATE PROCEDURE keep_tenant AS EXEC sp_set_session_context N'tenant', N'seven'");
            client.response();
            client.sendBatch(sql);
            arrived.await();
        }
        await().until(() -> fixture.proxy.glance("one").clients() == 0);
        gate.countDown();
        try (RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            assertThat(integer(next, "SELECT @@TRANCOUNT")).isZero();
        }
        assertThat(fixture.server.counters().logins()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET ANSI_DEFAULTS ON", "SET ANSI_DEFAULTS OFF"})
    void ansiDefaultsArePinnedAndTheirConnectionServesNobodyElse(String sql) throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch(sql);
            client.response();
            await().until(() -> fixture.proxy.glance("one").pool().pins().get(PinReason.NOT_UNDERSTOOD) == 1);
        }
        try (RawClient next = RawClient.loggedIn(fixture.proxy.port())) {
            assertThat(integer(next, "SELECT @@TRANCOUNT")).isZero();
        }
        assertThat(fixture.server.counters().logins()).isEqualTo(2);
    }

    private static long integer(RawClient client, String sql) throws IOException {
        client.sendBatch(sql);
        return IntegerAnswer.read(client.response(), new WireFormat(TdsVersion.V7_4, false, 0));
    }

    @Test
    void aServerThatDoesNotAnswerLosesItsConnection() throws Exception {
        leaveWhileAsked("EXEC wait_for_the_gate");
        assertThat(closed()).isZero();
        fixture.limits(
                new ClientLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, SOON));
        await().until(() -> fixture.proxy.glance("one").pool().count(ConnectionState.CLOSING) == 1);
        fixture.server.misbehave(Misbehaviour.NONE);
        await().until(() -> closed() == 1);
    }

    private long closed() {
        return fixture.proxy.glance("one").pool().closed().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private void leaveWhileAsked(String sql) throws Exception {
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch(sql);
            arrived.await();
            // It answers what it has begun, and does not hear what the proxy asks next.
            fixture.server.misbehave(Misbehaviour.NONE.withStopReading(true));
            gate.countDown();
            client.response();
        }
        await().until(() -> fixture.proxy.glance("one").clients() == 0);
    }
}
