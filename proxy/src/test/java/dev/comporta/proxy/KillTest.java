package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.testkit.LeakWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that the operator closes, whatever they do. */
@Timeout(60)
class KillTest {
    private static final int KILLED = 50007;

    private final LeakWatch leaks = new LeakWatch();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void noBufferIsLost() {
        threads.close();
        leaks.assertNone();
        leaks.close();
    }

    @Test
    void clientsAreNumberedAsTheyComeIn() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2);
                Connection first = fixture.connect()) {
            long one = newest(fixture);
            assertThat(one).isEqualTo(1);
            try (Connection second = fixture.connect()) {
                assertThat(ask(second, "SELECT 1")).isEqualTo(ask(first, "SELECT 1"));
                assertThat(fixture.proxy.clients().get()).hasSize(2).containsEntry(one, "one");
            }
            await().until(() -> fixture.proxy.clients().get().size() == 1);
            try (Connection _ = fixture.connect()) {
                assertThat(fixture.proxy.clients().get())
                        .as("a number is not used again")
                        .containsOnlyKeys(one, 3L);
            }
            assertThat(fixture.proxy.kill(99).get()).isFalse();
        }
    }

    @Test
    void aTransactionIsRolledBackAndItsConnectionServesTheNext() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1)) {
            Connection killed = fixture.connect("connectRetryCount=0;");
            long client = newest(fixture);
            run(killed, "CREATE TABLE ledger (id INT)");
            run(killed, "BEGIN TRANSACTION");
            run(killed, "INSERT INTO ledger VALUES (1)");

            assertThat(fixture.proxy.kill(client).get()).isTrue();
            assertThatThrownBy(() -> ask(killed, "SELECT 1")).isInstanceOf(SQLException.class);
            try (Connection next = fixture.connect()) {
                assertThat(ask(next, "SELECT COUNT(*) FROM ledger")).isEqualTo("0");
                assertThat(ask(next, "SELECT @@TRANCOUNT")).isEqualTo("0");
            }
            assertThat(fixture.server.counters().logins())
                    .as("one connection for both")
                    .isEqualTo(1);
            assertThat(fixture.proxy.kill(client).get()).as("it is gone").isFalse();
        }
    }

    @Test
    void aQueuedRequestIsToldAndGivesUpItsPlace() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection holder = fixture.connect();
                Connection queued = fixture.connect("connectRetryCount=0;")) {
            long client = newest(fixture);
            run(holder, "BEGIN TRANSACTION");
            Future<String> request = threads.submit(() -> ask(queued, "SELECT 1"));
            await().until(() -> pool(fixture).waiting() == 1);
            assertThat(fixture.proxy.kill(client).get()).isTrue();
            getsKilled(request);
            assertThat(pool(fixture).waiting()).isZero();
            assertThat(ask(holder, "SELECT @@TRANCOUNT"))
                    .as("another's transaction")
                    .isEqualTo("1");
        }
    }

    @Test
    void aRunningRequestIsCancelledAndItsClientTold() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection running = fixture.connect("connectRetryCount=0;")) {
            long client = newest(fixture);
            long before = fixture.server.counters().requests();
            Future<String> request = threads.submit(() -> ask(running, "WAITFOR DELAY '00:00:50'; SELECT 1"));
            await().until(() -> fixture.server.counters().requests() > before);
            assertThat(fixture.proxy.kill(client).get()).isTrue();
            getsKilled(request);
            try (Connection next = fixture.connect()) {
                assertThat(ask(next, "SELECT 7")).isEqualTo("7");
            }
            assertThat(fixture.server.counters().attentions()).isEqualTo(1);
        }
    }

    @Test
    void aDedicatedClientIsCutOffAndOneThatWaitsIsToldToConnectAgain() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.windowsLogin("CORP\\ana", "Secret-2"),
                settings -> settings.maxConnections(1).minIdle(0))) {
            Connection ana = SteeringTest.windows(fixture);
            long first = newest(fixture);
            Future<Connection> waits = threads.submit(() -> SteeringTest.windows(fixture));
            await().until(() -> pool(fixture).waiting() == 1);
            long waiting = newest(fixture);
            assertThat(fixture.proxy.kill(waiting).get()).isTrue();
            await("the driver connects again, as it is told").until(() -> newest(fixture) > waiting);
            assertThat(fixture.proxy.clients().get()).doesNotContainKey(waiting);
            assertThat(ask(ana, "SELECT 1")).isEqualTo("1");

            assertThat(fixture.proxy.kill(first).get()).isTrue();
            assertThatThrownBy(() -> ask(ana, "SELECT 1")).isInstanceOf(SQLException.class);
            try (Connection next = waits.get()) {
                assertThat(ask(next, "SELECT 1"))
                        .as("on the slot that came back")
                        .isEqualTo("1");
            }
        }
    }

    private static void getsKilled(Future<?> request) {
        assertThatThrownBy(request::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .hasMessageContaining("Closed by the operator")
                .extracting(e -> ((SQLException) e).getErrorCode())
                .isEqualTo(KILLED);
    }

    /** The number of the client that came in last. */
    private static long newest(ProxyFixture fixture) throws Exception {
        return fixture.proxy.clients().get().lastKey();
    }

    private static BucketSnapshot pool(ProxyFixture fixture) {
        return fixture.proxy.glance("one").pool();
    }
}
