package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.testkit.RawClient;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several requests at the same time on one connection: never shared, never looked at. */
@Timeout(60)
class MarsTest {
    private static final int SMP = 0x53;
    private static final int SYN = 0x01;
    private static final int DATA = 0x08;

    @Test
    void framesPassUnchangedBothWays() throws Exception {
        try (MarsServer server = new MarsServer(true);
                Proxy proxy = proxy(server, PoolMode.SESSION)) {
            try (RawClient client = new RawClient(proxy.port())) {
                assertThat(client.prelogin(true).mars()).isTrue();
                client.sendLogin();
                client.response();
                for (byte[] frame : new byte[][] {
                    frame(SYN, 0, new byte[0]),
                    frame(SYN, 1, new byte[0]),
                    frame(DATA, 1, noise(100)),
                    frame(DATA, 0, noise(30_000))
                }) {
                    client.raw(frame);
                    assertThat(client.read(frame.length)).isEqualTo(frame);
                }
                assertThat(server.askedForMars).hasValue(1);
                assertThat(proxy.glance("one").pool().active()).isEqualTo(1);
            }
            await().untilAsserted(() -> {
                assertThat(proxy.glance("one").pool().connections()).isEmpty();
                assertThat(server.sessions).hasValue(0);
            });
        }
    }

    @Test
    void whoDoesNotReadIsNotBuffered() throws Exception {
        try (MarsServer server = new MarsServer(true);
                Proxy proxy = proxy(server, PoolMode.SESSION);
                RawClient client = new RawClient(proxy.port())) {
            client.prelogin(true);
            client.sendLogin();
            client.response();
            byte[] frame = frame(DATA, 0, noise(64 * 1024));
            // More than all the sockets on the way hold together, which is up to 36 MB each with the newest kernels:
            // without back-pressure the proxy would hold the rest.
            int frames = 6000;
            AtomicInteger sent = new AtomicInteger();
            Thread.ofVirtual().start(() -> {
                try {
                    while (sent.get() < frames) {
                        client.raw(frame);
                        sent.incrementAndGet();
                    }
                } catch (UncheckedIOException closed) {
                    // The test is over, and this thread with it.
                }
            });
            AtomicInteger before = new AtomicInteger();
            await().during(Duration.ofSeconds(1)).until(() -> {
                int now = sent.get();
                return before.getAndSet(now) == now && now > 0;
            });
            assertThat(sent.get()).isLessThan(frames);
            for (int i = 0; i < 3; i++) {
                assertThat(client.read(frame.length)).isEqualTo(frame);
            }
        }
    }

    @Test
    void whereClientsShareTheyAreToldNo() throws Exception {
        try (MarsServer server = new MarsServer(true);
                Proxy proxy = proxy(server, PoolMode.TRANSACTION);
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.prelogin(true).mars()).isFalse();
        }
    }

    @Test
    void whoDoesNotAskIsNotOfferedItInSessionModeEither() throws Exception {
        try (MarsServer server = new MarsServer(true);
                Proxy proxy = proxy(server, PoolMode.SESSION);
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.prelogin(false).mars()).isFalse();
        }
    }

    @Test
    void aServerThatSaysNoIsToldOnceAndNotPromisedAgain() throws Exception {
        try (MarsServer server = new MarsServer(false);
                Proxy proxy = proxy(server, PoolMode.SESSION)) {
            try (RawClient client = new RawClient(proxy.port())) {
                assertThat(client.prelogin(true).mars()).isTrue();
                client.sendLogin();
                assertThat(client.errorNumber()).isEqualTo(50003);
                assertThat(client.isHungUpOn()).isTrue();
            }
            try (RawClient again = new RawClient(proxy.port())) {
                assertThat(again.prelogin(true).mars()).isFalse();
            }
            await().untilAsserted(() ->
                    assertThat(proxy.glance("one").pool().connections()).isEmpty());
        }
    }

    private static Proxy proxy(MarsServer server, PoolMode mode) throws Exception {
        return ProxyFixture.startProxy(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                mode,
                TransactionTracking.ENVCHANGE,
                settings -> settings.maxConnections(2).minIdle(0));
    }

    /** A frame of the session multiplex protocol: SMID, flags, session, length, sequence number, window. */
    private static byte[] frame(int flags, int session, byte[] data) {
        return ByteBuffer.allocate(16 + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) SMP)
                .put((byte) flags)
                .putShort((short) session)
                .putInt(16 + data.length)
                .putInt(1)
                .putInt(4)
                .put(data)
                .array();
    }

    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return noise;
    }
}
