package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.testkit.LeakWatch;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Sessions that were recorded, changed at random, and sent to a proxy that others are working with: these never notice,
 * and nothing is left of it.
 *
 * <p>A long run: {@code mvn test -pl proxy -am -Dtest=SocketFuzzTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dcomporta.fuzz.sessions=100000}; {@code -Dcomporta.fuzz.seed} makes it another one.
 */
@Timeout(1200)
class SocketFuzzTest {
    private static final int SESSIONS = Integer.getInteger("comporta.fuzz.sessions", 5_000);
    private static final long SEED = Long.getLong("comporta.fuzz.seed", 20_261_116);
    private static final int ATTACKERS = 12;
    private static final int LIMIT = 12;

    private final ResourceLeakDetector.Level watched = ResourceLeakDetector.getLevel();

    /** To watch every buffer is most of the work: a long run watches one in a hundred. */
    @BeforeEach
    void watchFewerBuffers() {
        if (SESSIONS > 10_000) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.ADVANCED);
        }
    }

    @AfterEach
    void watchAsBefore() {
        ResourceLeakDetector.setLevel(watched);
    }

    @Test
    void nobodyNoticesSessionsThatMakeNoSense() throws Exception {
        try (LeakWatch leaks = new LeakWatch();
                Complaints complaints = new Complaints();
                ProxyFixture fixture = start();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean over = new AtomicBoolean();
            List<Future<Integer>> working = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int client = i;
                working.add(threads.submit(() -> work(fixture, client, over)));
            }
            try {
                List<Future<?>> attacks = new ArrayList<>();
                for (int i = 0; i < ATTACKERS; i++) {
                    SessionMutator mutator = new SessionMutator(SEED + i);
                    attacks.add(threads.submit(() -> attack(fixture, mutator)));
                }
                for (Future<?> attack : attacks) {
                    attack.get();
                }
            } finally {
                over.set(true);
            }
            for (Future<Integer> each : working) {
                assertThat(each.get()).as("requests of a client that works").isPositive();
            }
            assertThat(fixture.server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(fixture.proxy.glance("one").clients()).isZero();
                assertThat(fixture.proxy.glance("one").pool().active()).isZero();
                assertThat(fixture.proxy.glance("one").pool().waiting()).isZero();
                assertThat(fixture.server.engine().openTransactions()).isZero();
            });
            assertThat(complaints.heard).as("errors of the proxy's own").isEmpty();
            leaks.assertNone();
        }
    }

    private static ProxyFixture start() throws Exception {
        return ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                settings -> settings.maxConnections(LIMIT)
                        .minIdle(0)
                        .queue(new QueueSettings(Duration.ofSeconds(60), 1000)));
    }

    private static int work(ProxyFixture fixture, int client, AtomicBoolean over) throws Exception {
        int requests = 0;
        try (Connection connection = fixture.connect()) {
            run(connection, "CREATE TABLE work" + client + " (n INT)");
            while (!over.get()) {
                run(connection, "BEGIN TRANSACTION");
                run(connection, "INSERT INTO work" + client + " VALUES (" + requests + ")");
                run(connection, "COMMIT");
                requests++;
                assertThat(ask(connection, "SELECT CONCAT(COUNT(*), '/', MAX(n), '/', @@TRANCOUNT) FROM work" + client))
                        .isEqualTo(requests + "/" + (requests - 1) + "/0");
            }
        }
        return requests;
    }

    private static Void attack(ProxyFixture fixture, SessionMutator mutator) throws IOException {
        InetSocketAddress proxy = new InetSocketAddress(InetAddress.getLoopbackAddress(), fixture.proxy.port());
        ByteBuffer scratch = ByteBuffer.allocate(64 * 1024);
        for (int i = 0; i < SESSIONS / ATTACKERS; i++) {
            // From many addresses: one has fewer ports than there are sessions.
            InetAddress from = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (10 + i % 16)});
            try (SocketChannel socket = SocketChannel.open()) {
                socket.bind(new InetSocketAddress(from, 0));
                socket.connect(proxy);
                play(socket, mutator.next(), scratch);
            }
        }
        return null;
    }

    /** To its end, or until the proxy has had enough of it. */
    private static void play(SocketChannel socket, List<SessionMutator.Part> session, ByteBuffer scratch) {
        try {
            for (SessionMutator.Part part : session) {
                ByteBuffer bytes = ByteBuffer.wrap(part.bytes());
                while (bytes.hasRemaining()) {
                    socket.write(bytes);
                }
                if (part.isAnswered() && socket.read(scratch.clear()) < 0) {
                    return;
                }
            }
            // Not just closed: the proxy is to read all of it first, and to hang up then.
            socket.shutdownOutput();
            while (socket.read(scratch.clear()) >= 0) {
                continue;
            }
        } catch (IOException e) {
            // Hung up on: as it should be.
        }
    }

    /** What the proxy says of itself: that a client makes no sense is no error, that the proxy does is one. */
    private static final class Complaints extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        private final Logger logger = (Logger) LoggerFactory.getLogger("dev.comporta.proxy");
        private final @Nullable Level before = logger.getLevel();

        Complaints() {
            start();
            logger.addAppender(this);
            // A line for each session would be a hundred thousand.
            logger.setLevel(Level.ERROR);
        }

        @Override
        protected void append(ILoggingEvent event) {
            heard.add(event.getFormattedMessage() + " " + event.getThrowableProxy());
        }

        @Override
        public void close() {
            logger.detachAppender(this);
            logger.setLevel(before);
        }
    }
}
