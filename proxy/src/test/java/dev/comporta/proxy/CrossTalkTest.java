package dev.comporta.proxy;

import static dev.comporta.proxy.ProxyFixture.ask;
import static dev.comporta.proxy.ProxyFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.proxy.loop.BucketSpec;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many clients of two drivers on a few server connections: nobody ever sees what is another's, and nothing is left. */
@Timeout(120)
class CrossTalkTest {
    private static final int CLIENTS = 60;
    private static final int LIMIT = 5;
    private static final int ROUNDS = 12;
    private static final long SEED = 20_261_115;

    @Test
    void nobodySeesWhatIsAnothersAndNothingIsLeft() throws Exception {
        try (LeakWatch leaks = new LeakWatch();
                ProxyFixture fixture = start()) {
            try (Connection connection = fixture.connect()) {
                run(connection, "CREATE TABLE ledger (client INT NOT NULL, entry INT NOT NULL PRIMARY KEY)");
            }
            List<Stranger> strangers = letThemWork(fixture);

            try (Connection connection = fixture.connect()) {
                for (Stranger stranger : strangers) {
                    assertThat(ask(connection, "SELECT COUNT(*) FROM AppDB.dbo.ledger WHERE client = " + stranger.id))
                            .as("entries of client %d", stranger.id)
                            .isEqualTo(Integer.toString(stranger.committed));
                }
            }
            assertThat(fixture.server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
            await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertNothingIsLeft(fixture));
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

    private static List<Stranger> letThemWork(ProxyFixture fixture) throws Exception {
        List<Stranger> strangers = new ArrayList<>();
        List<Future<?>> work = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                Stranger stranger = new Stranger(fixture, i, SEED + i);
                strangers.add(stranger);
                work.add(threads.submit(() -> {
                    stranger.live(ROUNDS);
                    return null;
                }));
            }
        }
        for (Future<?> each : work) {
            each.get();
        }
        return strangers;
    }

    private static void assertNothingIsLeft(ProxyFixture fixture) {
        BucketLoop.Glance glance = fixture.proxy.glance("one");
        assertThat(glance.clients()).as("clients").isZero();
        assertThat(glance.pool().waiting()).as("waiters").isZero();
        assertThat(glance.pool().active()).as("connections in use").isZero();
        assertThat(glance.pool().count(ConnectionState.RESETTING))
                .as("connections being reset")
                .isZero();
        assertThat(glance.pool().slots().held()).as("slots").isLessThanOrEqualTo(LIMIT);
        assertThat(fixture.server.engine().openTransactions())
                .as("open transactions")
                .isZero();
        assertThat(fixture.server.engine().temporaryTables())
                .as("temporary tables")
                .isZero();
    }
}
