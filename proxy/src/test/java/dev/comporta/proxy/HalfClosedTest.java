package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that keeps its side of a connection open that the proxy has closed. */
@Timeout(60)
class HalfClosedTest {
    private static final byte[] NO_PACKET = new byte[] {0x7F, 0, 0, 0, 0, 0, 0, 0};
    private static final HealthSettings DOWN_AT_ONCE = new HealthSettings(
            HealthSettings.Check.PING,
            Duration.ZERO,
            Duration.ofSeconds(5),
            1,
            1,
            Duration.ofMillis(100),
            Duration.ofMillis(100));

    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    /** Nothing tells then whether the session is over: that is counted, and the slot is not lost for ever. */
    @Test
    void slotIsFreeWhenTheServerHasNotEndedTheSessionInTime() throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login(RawClient.USER, RawClient.PASSWORD)
                        .login("web", "Secret-2")
                        .misbehaviour(Misbehaviour.NONE.withSlowEnds(Duration.ofHours(1)))
                        .start();
                Proxy proxy = ProxyFixture.startProxy(
                        ProxyFixture.bucket(
                                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                                BucketSpec.PoolMode.TRANSACTION,
                                BucketSpec.TransactionTracking.AUTO,
                                ClientLimits.NONE,
                                settings -> settings.maxConnections(1).minIdle(0)),
                        closingFor(CLOSE_TIMEOUT));
                RawClient _ = RawClient.loggedIn(proxy.port());
                Connection other = Jdbc.mssql(proxy.port(), "user=web;password=Secret-2;")) {
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            assertThat(server.counters().mostSessions()).isEqualTo(2);
            Map<CloseReason, Long> closed = proxy.glance("one").pool().closed();
            assertThat(closed).containsEntry(CloseReason.END_UNSEEN, 1L);
        }
    }

    @Test
    void slotIsKeptThoughThereNeverWasALogin() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Proxy proxy = ProxyFixture.startProxy(
                        new ServerDial("127.0.0.1", server.getLocalPort(), ServerDial.Mode.OFF, null),
                        BucketSpec.PoolMode.TRANSACTION,
                        BucketSpec.TransactionTracking.AUTO,
                        settings -> ProxyFixture.refusing(
                                settings.maxConnections(1).minIdle(0).health(DOWN_AT_ONCE)));
                RawClient client = new RawClient(proxy.port())) {
            client.sendLogin();
            try (Socket accepted = server.accept()) {
                accepted.getOutputStream().write(NO_PACKET);
                assertThat(client.errorNumber()).isEqualTo(50003);
                assertThat(accepted.getInputStream().readAllBytes())
                        .as("PRELOGIN, and that nothing follows")
                        .isNotEmpty();
                assertThat(proxy.glance("one").pool().count(ConnectionState.CLOSING))
                        .isOne();
            }
            await().until(() -> proxy.glance("one").pool().count(ConnectionState.CLOSING) == 0);
        }
    }

    private static SocketLimits closingFor(Duration closeTimeout) {
        SocketLimits usual = SocketLimits.DEFAULTS;
        return new SocketLimits(
                usual.maxClients(),
                usual.packetSize(),
                usual.loginSize(),
                usual.lowWatermark(),
                usual.highWatermark(),
                usual.logins(),
                usual.maxSockets(),
                usual.keepAlive(),
                closeTimeout);
    }
}
