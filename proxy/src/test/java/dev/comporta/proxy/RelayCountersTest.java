package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.watch.RelaySnapshot;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is counted of the relay, compared with what the server has counted. */
@Timeout(120)
class RelayCountersTest {
    /** Nobody can tell what it leaves behind, so the next client's request brings a reset. */
    private static final String OPAQUE = "EXEC ('SELECT 1')";

    private static final String WAITS = "EXEC wait_for_the_gate";

    private static Glance glance(ProxyFixture fixture) {
        return fixture.proxy.glance("one");
    }

    private static RelaySnapshot relay(ProxyFixture fixture) {
        return glance(fixture).relay();
    }

    @Test
    void packetsAreCountedByTypeAndResponsesByTheirFirstByte() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.answerTo("SELECT 1");
            Glance before = glance(fixture);
            for (int i = 0; i < 5; i++) {
                client.answerTo("SELECT 1");
            }
            client.answerTo("SELECT REPLICATE(N'x', 4000) UNION ALL SELECT REPLICATE(N'y', 4000)");
            BucketSnapshot pool = glance(fixture).pool();
            RelaySnapshot relay = relay(fixture);
            assertThat(relay.packetsSent().get("sql_batch")
                            - before.relay().packetsSent().get("sql_batch"))
                    .isEqualTo(6);
            // 16,000 bytes are four packets of 4096 and more.
            assertThat(relay.packetsReceived().get("tabular_result")
                            - before.relay().packetsReceived().get("tabular_result"))
                    .isBetween(5L + 4, 5L + 6);
            assertThat(pool.firstByteTime().count()).isEqualTo(pool.queryTime().count());
            assertThat(pool.firstByteTime().sumNanos())
                    .isPositive()
                    .isLessThan(pool.queryTime().sumNanos());
            assertThat(relay.packetsSent()).containsEntry("rpc", 0L).containsEntry("attention", 0L);
        }
    }

    /**
     * The next client's request is always in the queue when one ends: a connection that rests for a while is reset for that,
     * and on a busy machine any while may pass between two requests.
     */
    @Test
    void resetsAreCountedByWhatBroughtThemAndReplaysOfSettings() throws Exception {
        Semaphore gate = new Semaphore(0);
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        ServerDial.Mode.LOGIN,
                        server -> server.procedure("wait_for_the_gate", _ -> {
                            gate.acquireUninterruptibly();
                            return 0;
                        }),
                        settings -> settings.maxConnections(1).minIdle(0));
                RawClient one = RawClient.loggedIn(fixture.proxy.port());
                RawClient other = RawClient.loggedIn(fixture.proxy.port())) {
            one.sendBatch(WAITS);
            await("the server has got it, with the reset that it may bring").until(gate::hasQueuedThreads);
            RelaySnapshot before = relay(fixture);
            long resets = fixture.server.counters().resets();
            followedBy(fixture, one, gate, other, WAITS);
            followedBy(fixture, other, gate, one, "SET LOCK_TIMEOUT 1234; " + WAITS);
            assertThat(more(before, relay(fixture), "with_request")).isEqualTo(2);
            followedBy(fixture, one, gate, other, WAITS);
            assertThat(more(before, relay(fixture), "with_request")).isEqualTo(3);
            assertThat(more(before, relay(fixture), "own_message")).isZero();
            followedBy(fixture, other, gate, one, WAITS);
            RelaySnapshot replayed = relay(fixture);
            assertThat(replayed.stateReplays()).isEqualTo(1);
            assertThat(more(before, replayed, "own_message")).isEqualTo(1);
            assertThat(replayed.ownMessages().get("settings")
                            - before.ownMessages().get("settings"))
                    .isEqualTo(1);
            one.sendBatch(OPAQUE, AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION);
            gate.release();
            one.response();
            one.response();
            assertThat(more(before, relay(fixture), "by_client")).isEqualTo(1);
            await().untilAsserted(() -> assertThat(sum(relay(fixture)) - sum(before))
                    .isEqualTo(fixture.server.counters().resets() - resets));
        }
    }

    /** Sends a client's request while another's runs, and ends that one when this one waits for it. */
    private static void followedBy(ProxyFixture fixture, RawClient running, Semaphore gate, RawClient next, String sql)
            throws IOException {
        next.sendBatch(sql);
        await().until(() -> glance(fixture).pool().waiting() == 1);
        gate.release();
        running.response();
        await().until(() -> glance(fixture).pool().waiting() == 0);
    }

    private static long more(RelaySnapshot before, RelaySnapshot after, String reset) {
        return after.resets().get(reset) - before.resets().get(reset);
    }

    private static long sum(RelaySnapshot relay) {
        return relay.resets().values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void questionsOfTheProxysOwnAreTheRoundTripsThatTheServerHasMore() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Proxy probing = fixture.startBeside(BucketSpec.TransactionTracking.PROBE);
                RawClient client = RawClient.loggedIn(probing.port())) {
            client.answerTo("SELECT 1");
            RelaySnapshot before = probing.glance("one").relay();
            long roundTrips = fixture.server.counters().roundTrips();
            for (int i = 0; i < 3; i++) {
                client.answerTo(OPAQUE);
            }
            // A connection that has rested is reset at any time: so that both sides agree is awaited.
            await().untilAsserted(() -> {
                RelaySnapshot after = probing.glance("one").relay();
                assertThat(after.ownMessages().get("probe")
                                - before.ownMessages().get("probe"))
                        .isEqualTo(3);
                assertThat(fixture.server.counters().roundTrips() - roundTrips).isEqualTo(3 + own(after) - own(before));
            });
            assertThat(before.ownMessages().get("learn")).isEqualTo(1);
        }
    }

    private static long own(RelaySnapshot relay) {
        return relay.ownMessages().values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void loginsAreCountedByWhoJudgedThem() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        ServerDial.Mode.LOGIN,
                        server -> server.windowsLogin("CORP\\ana", "Secret-2"),
                        settings -> settings.maxConnections(2).minIdle(0));
                RawClient _ = RawClient.loggedIn(fixture.proxy.port());
                RawClient _ = RawClient.loggedIn(fixture.proxy.port());
                RawClient _ = RawClient.loggedIn(fixture.proxy.port())) {
            assertThat(relay(fixture).logins())
                    .containsEntry("checked", 1L)
                    .containsEntry("known", 2L)
                    .containsEntry("dedicated", 0L);
            assertThat(fixture.server.counters().logins()).isEqualTo(1);
            try (Connection _ = SteeringTest.windows(fixture)) {
                assertThat(relay(fixture).logins())
                        .containsEntry("checked", 1L)
                        .containsEntry("known", 2L)
                        .containsEntry("dedicated", 1L);
                assertThat(fixture.server.counters().logins()).isEqualTo(2);
            }
        }
    }

    @Test
    void refusalsAreCountedByReasonAtLoginAndLater() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                RawClient holder = RawClient.loggedIn(fixture.proxy.port());
                RawClient waiter = RawClient.loggedIn(fixture.proxy.port());
                RawClient stranger = new RawClient(fixture.proxy.port());
                RawClient lost = new RawClient(fixture.proxy.port())) {
            stranger.answerToLogin("nobody");
            lost.answerToLogin(login -> login.userName("sa").database("Nowhere"));
            holder.answerTo("BEGIN TRANSACTION");
            fixture.patience(Duration.ofMillis(50));
            assertThat(waiter.answerTo("SELECT 1").toString()).contains("50004");
            assertThat(relay(fixture).refusals())
                    .containsEntry("queue_timeout", 1L)
                    .containsEntry("login_rejected", 1L)
                    .containsEntry("no_route", 0L);
            assertThat(fixture.proxy.entryCounts().refusals().snapshot())
                    .containsEntry("no_route", 1L)
                    .containsEntry("queue_timeout", 0L);
        }
    }

    @Test
    void handshakesAreCountedOnBothSides() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                RawClient client = RawClient.loggedInByTls(fixture.proxy.port())) {
            client.answerTo("SELECT 1");
            assertThat(fixture.proxy.entryCounts().handshakes()).isEqualTo(1);
            assertThat(fixture.proxy.entryCounts().failedHandshakes()).isZero();
            assertThat(relay(fixture).handshakes())
                    .isEqualTo(fixture.server.counters().logins())
                    .isEqualTo(1);
            breakHandshake(fixture.proxy.port());
            await().untilAsserted(() ->
                    assertThat(fixture.proxy.entryCounts().failedHandshakes()).isEqualTo(1));
        }
    }

    /** A record that announces a handshake, and has none. */
    private static void breakHandshake(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream out = socket.getOutputStream();
            out.write(new byte[] {0x16, 3, 1, 0, 4, 99, 99, 99, 99});
            out.flush();
            socket.getInputStream().readAllBytes();
        }
    }
}
