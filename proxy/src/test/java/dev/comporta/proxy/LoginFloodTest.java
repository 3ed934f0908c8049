package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Wrong logins by the thousand, beside clients that work. */
@Timeout(300)
class LoginFloodTest {
    private static final int GUESSES = 1500;
    private static final int AT_ONCE = 150;
    private static final int GOOD_CLIENTS = 32;
    private static final int LIMIT = 16;
    private static final int LOGIN_FAILED = 18_456;
    /** They wait for their turn behind those who work, on a busy machine for long. */
    private static final int PATIENCE_MILLIS = 120_000;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong served = new AtomicLong();
    private final AtomicInteger judged = new AtomicInteger();

    @Test
    void wrongLoginsCostNoGoodClientItsRequestAndKeepNoGoodLoginOut() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        PoolMode.TRANSACTION, ServerDial.Mode.OFF, server -> server, LoginFloodTest::settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < GOOD_CLIENTS; i++) {
                Connection client = fixture.connect();
                working.add(threads.submit(() -> work(client)));
            }
            try {
                flood(fixture, threads);
                long before = served.get();
                await().until(() -> served.get() > before + GOOD_CLIENTS);
            } finally {
                over.set(true);
            }
            for (Future<?> client : working) {
                client.get(); // no request was refused
            }
            assertThat(fixture.server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
            assertThat(fixture.proxy.glance("one").pool().waiting()).isZero();
        }
    }

    private void flood(ProxyFixture fixture, ExecutorService threads) throws Exception {
        List<Future<?>> guessing = new ArrayList<>();
        Semaphore free = new Semaphore(AT_ONCE);
        for (int i = 0; i < GUESSES; i++) {
            int number = i;
            free.acquire();
            guessing.add(threads.submit(() -> {
                try {
                    guess(fixture.proxy.port(), number);
                } finally {
                    free.release();
                }
                return null;
            }));
            if (i == GUESSES / 2) {
                // In the middle of it somebody whom the server has not judged yet, with a password that is right.
                try (Connection newcomer = fixture.connect("databaseName=Other;loginTimeout=30")) {
                    assertThat(ask(newcomer, "SELECT 3")).isEqualTo("3");
                }
            }
        }
        for (Future<?> guess : guessing) {
            guess.get();
        }
        assertThat(judged).hasValue(GUESSES);
    }

    private static BucketSettings.Builder settings(BucketSettings.Builder settings) {
        // As many places in the queue as there are clients: each that a wrong login took would be missed.
        return settings.maxConnections(LIMIT)
                .minIdle(0)
                .queue(new QueueSettings(Duration.ofSeconds(60), GOOD_CLIENTS))
                .connectRate(new ConnectRateSettings(1000, 200));
    }

    private Void work(Connection client) throws SQLException {
        try (client) {
            while (!over.get()) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
                served.incrementAndGet();
            }
        }
        return null;
    }

    /** Each from an address of its own: so none is delayed, and the server would have to judge them all. */
    private void guess(int port, int number) throws Exception {
        InetAddress from =
                InetAddress.getByAddress(new byte[] {127, 1, (byte) (number >> 7), (byte) (1 + number % 128)});
        try (RawClient client = RawClient.from(from, port)) {
            client.timeout(PATIENCE_MILLIS);
            client.sendLogin(login -> login.userName("guess" + number).password(Secret.ofText("guess" + number)));
            ByteBuf answer = client.response();
            assertThat(answer.getIntLE(3)).isEqualTo(LOGIN_FAILED);
            judged.incrementAndGet();
        }
    }
}
