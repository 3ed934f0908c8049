package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.listen.KeepAlive;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A peer that does not read is not one that has vanished: its machine still answers. Linux ends both when
 * TCP_USER_TIMEOUT is over.
 */
@Timeout(60)
class SlowReaderTest {
    private static final Duration USER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PAUSE = USER_TIMEOUT.multipliedBy(3);
    /** More than the kernel takes off one's hands: what is sent and not read. */
    private static final int CHARACTERS = 32 << 20;

    private final ResourceLeakDetector.Level watched = ResourceLeakDetector.getLevel();
    private Standin server;
    private Proxy proxy;

    @BeforeEach
    void start() throws Exception {
        // The detector keeps a stack trace for each look at a buffer: minutes, for this many bytes.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        server = Standin.builder()
                .database("AppDB")
                .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                .maxMessageBytes(4 * CHARACTERS)
                .start();
        SocketLimits usual = SocketLimits.DEFAULTS;
        SocketLimits limits = new SocketLimits(
                usual.maxClients(),
                usual.packetSize(),
                usual.loginSize(),
                usual.lowWatermark(),
                usual.highWatermark(),
                usual.logins(),
                usual.maxSockets(),
                new KeepAlive(Duration.ofSeconds(1), Duration.ofSeconds(1), 2, USER_TIMEOUT),
                usual.closeTimeout());
        proxy = ProxyFixture.startProxy(
                ProxyFixture.bucket(
                        new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                        BucketSpec.PoolMode.TRANSACTION,
                        BucketSpec.TransactionTracking.AUTO,
                        ClientLimits.NONE,
                        settings -> settings.maxConnections(1).minIdle(0)),
                limits);
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
        ResourceLeakDetector.setLevel(watched);
    }

    private static void pause() {
        long from = System.nanoTime();
        await().pollInterval(Duration.ofMillis(100)).until(() -> System.nanoTime() - from >= PAUSE.toNanos());
    }

    @Test
    void aClientThatPausesWhileItReadsGetsAllOfItsAnswer() throws Exception {
        try (RawClient client = RawClient.loggedIn(proxy.port())) {
            client.sendBatch("SELECT REPLICATE(CAST(N'x' AS NVARCHAR(MAX)), " + CHARACTERS + ")");
            long read = client.skip(100_000);
            pause();
            read += client.skip(Long.MAX_VALUE);
            assertThat(read).isGreaterThan(2L * CHARACTERS);
            client.sendBatch("SELECT 1");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    @Test
    void aServerThatPausesWhileItReadsGetsAllOfTheRequest() throws Exception {
        try (RawClient client = RawClient.loggedIn(proxy.port())) {
            client.sendBatch("SELECT 1");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
            server.misbehave(Misbehaviour.NONE.withStopReading(true));
            CompletableFuture<Void> sent = CompletableFuture.runAsync(
                    () -> sendLarge(client), task -> Thread.ofVirtual().start(task));
            pause();
            assertThat(sent)
                    .as("the server has not read for longer than the timeout")
                    .isNotDone();
            server.misbehave(Misbehaviour.NONE);
            sent.get();
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }

    private static void sendLarge(RawClient client) {
        ByteBuf body = RawClient.batch("SELECT 1 --" + "x".repeat(CHARACTERS));
        while (body.isReadable()) {
            int part = Math.min(body.readableBytes(), PacketHeader.DEFAULT_PACKET_SIZE - PacketHeader.LENGTH);
            int status = part == body.readableBytes() ? PacketHeader.STATUS_EOM : 0;
            client.packet(PacketType.SQL_BATCH, status, body.readSlice(part));
        }
    }
}
