package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.testkit.EndlessServer;
import dev.comporta.testkit.RawClient;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client that has read nothing of its answer yet, all of which is here already, when its connection is to end: it gets
 * every byte before that, whyever it ends.
 */
@Timeout(60)
class LastAnswerTest {
    private static final int MEGABYTE = 1 << 20;
    /** More than the network's own buffers take: most of it waits in the proxy. */
    private static final long ANSWER = 8 * MEGABYTE;
    /** As many bytes may wait in the proxy that none is left at the server, though the client does not read. */
    private static final SocketLimits ROOM_FOR_ALL = new SocketLimits(
            0,
            SocketLimits.DEFAULTS.packetSize(),
            SocketLimits.DEFAULTS.loginSize(),
            32 * MEGABYTE,
            64 * MEGABYTE,
            SocketLimits.DEFAULTS.logins(),
            0,
            SocketLimits.DEFAULTS.keepAlive(),
            SocketLimits.DEFAULTS.closeTimeout());

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final ResourceLeakDetector.Level watched = ResourceLeakDetector.getLevel();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private EndlessServer server;
    private BucketSpec bucket;
    private Proxy proxy;

    /** The detector keeps a stack trace for each byte that is looked at: too many here. */
    @BeforeEach
    void start() throws Exception {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        server = new EndlessServer(ANSWER);
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        server.close();
        threads.close();
        ResourceLeakDetector.setLevel(watched);
    }

    @Test
    void whenTheInstanceStops() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        answeredWhenTheInstanceStops(() -> RawClient.loggedIn(proxy.port()));
    }

    @Test
    void whenTheInstanceStopsAndTheClientIsEncrypted() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        answeredWhenTheInstanceStops(() -> RawClient.loggedInByTls(proxy.port()));
    }

    @Test
    void whenTheInstanceStopsAndNobodySharesItsConnection() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        limits(Duration.ZERO, Duration.ZERO, SHORT);
        answeredWhenTheInstanceStops(() -> RawClient.loggedInByWindows(proxy.port()));
    }

    private void answeredWhenTheInstanceStops(Login login) throws Exception {
        try (RawClient client = askedForMuch(login);
                RawClient other = login.client()) {
            Future<Boolean> drained = threads.submit(() -> proxy.drain(LONG));
            awaitEnd(other);
            assertThat(drained.isDone()).isFalse();
            assertAnswered(client);
            assertThat(drained.get()).isTrue();
        }
    }

    @Test
    void whenItsSessionHasLastedTooLong() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        answeredWhen(() -> RawClient.loggedIn(proxy.port()), () -> limits(Duration.ZERO, SHORT, Duration.ZERO));
    }

    @Test
    void whenItWasIdleForTooLong() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        answeredWhen(() -> RawClient.loggedIn(proxy.port()), () -> limits(SHORT, Duration.ZERO, Duration.ZERO));
    }

    @Test
    void whenItWasIdleForTooLongAndIsEncrypted() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        answeredWhen(() -> RawClient.loggedInByTls(proxy.port()), () -> limits(SHORT, Duration.ZERO, Duration.ZERO));
    }

    @Test
    void whenItWasIdleForTooLongAndNobodySharesItsConnection() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        answeredWhen(() -> RawClient.loggedInByWindows(proxy.port()), () -> limits(SHORT, Duration.ZERO, SHORT));
    }

    /** @param itsTimeIsOver for this client and another, who have both been let in in peace */
    private void answeredWhen(Login login, Runnable itsTimeIsOver) throws Exception {
        try (RawClient client = askedForMuch(login);
                RawClient other = login.client()) {
            itsTimeIsOver.run();
            awaitEnd(other);
            assertAnswered(client);
        }
    }

    @Test
    void whenItsServerIsLost() throws Exception {
        startProxy(PoolMode.SESSION);
        try (RawClient client = askedForMuch(() -> RawClient.loggedIn(proxy.port()))) {
            server.hangUp();
            awaitNoServerConnection();
            assertAnswered(client);
        }
    }

    @Test
    void whenItsServerIsLostAndNobodySharesItsConnection() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        try (RawClient client = askedForMuch(() -> RawClient.loggedInByWindows(proxy.port()))) {
            server.hangUp();
            awaitNoServerConnection();
            assertAnswered(client);
        }
    }

    @Test
    void whenItHasSaidThatItWillSayNoMore() throws Exception {
        startProxy(PoolMode.SESSION);
        try (RawClient client = askedForMuch(() -> RawClient.loggedIn(proxy.port()))) {
            client.endOutput();
            // Others may have its connection at once.
            await().until(() -> proxy.glance("one").pool().active() == 0);
            assertAnswered(client);
        }
    }

    @Test
    void whenItHasSaidThatItWillSayNoMoreAndNobodySharesItsConnection() throws Exception {
        startProxy(PoolMode.TRANSACTION);
        try (RawClient client = askedForMuch(() -> RawClient.loggedInByWindows(proxy.port()))) {
            client.endOutput();
            awaitNoServerConnection();
            assertAnswered(client);
        }
    }

    private void startProxy(PoolMode mode) throws Exception {
        bucket = ProxyFixture.bucket(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                mode,
                TransactionTracking.ENVCHANGE,
                ClientLimits.NONE,
                settings -> settings.maxConnections(2).minIdle(0));
        proxy = ProxyFixture.startProxy(bucket, ROOM_FOR_ALL);
    }

    private void limits(Duration idle, Duration session, Duration idleInTransaction) {
        ProxyFixture.limits(
                proxy,
                bucket,
                new ClientLimits(idle, session, Duration.ZERO, idleInTransaction, Duration.ZERO, Duration.ZERO));
    }

    @FunctionalInterface
    private interface Login {
        RawClient client() throws Exception;
    }

    /** A client whose answer is in the proxy as a whole. */
    private RawClient askedForMuch(Login login) throws Exception {
        RawClient client = login.client();
        long before = bytesReceived();
        client.sendBatch("everything");
        await().until(() ->
                server.answered.get() > 0 && bytesReceived() - before >= server.firstPacket + server.answered.get());
        return client;
    }

    private long bytesReceived() {
        return proxy.glance("one").pool().traffic().bytesReceived();
    }

    /** Returns when a client has been hung up on that rests for less long than the one before it: so that one's turn was. */
    private void awaitEnd(RawClient other) throws Exception {
        assertThat(other.isHungUpOn()).isTrue();
        assertThat(proxy.glance("one").clients()).isEqualTo(1);
    }

    private void awaitNoServerConnection() {
        await().until(() -> proxy.glance("one").pool().connections().isEmpty());
    }

    private void assertAnswered(RawClient client) throws Exception {
        client.skip(1); // its first packet, of which the proxy keeps the acknowledgement of its own reset
        assertThat(client.skip(Long.MAX_VALUE)).isEqualTo(server.answered.get());
        assertThat(client.isHungUpOn()).isTrue();
        await().until(() -> proxy.glance("one").clients() == 0);
    }
}
