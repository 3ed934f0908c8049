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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the operator does with a bucket while it serves, and what its clients see of it. */
@Timeout(60)
class SteeringTest {
    private static final String SESSION = "SELECT @@SPID";

    private final LeakWatch leaks = new LeakWatch();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void noBufferIsLost() {
        threads.close();
        leaks.assertNone();
        leaks.close();
    }

    @Test
    void aPauseWaitsForATransactionAndHoldsTheNextRequest() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(3);
                Connection working = fixture.connect();
                Connection next = fixture.connect()) {
            run(working, "BEGIN TRANSACTION");
            CompletableFuture<Boolean> quiesced = fixture.proxy.pause("one");
            Future<String> held = threads.submit(() -> ask(next, "SELECT 7"));
            await().until(() -> pool(fixture).waiting() == 1);
            assertThat(ask(working, "SELECT @@TRANCOUNT")).isEqualTo("1");
            assertThat(pool(fixture).paused()).isTrue();
            assertThat(quiesced).isNotDone();

            run(working, "COMMIT");
            assertThat(quiesced.get()).isTrue();
            assertThat(pool(fixture).isQuiesced()).isTrue();
            assertThat(held.isDone()).isFalse();

            assertThat(fixture.proxy.resume("one").get()).isTrue();
            assertThat(held.get()).isEqualTo("7");
            assertThat(pool(fixture).paused()).isFalse();
            assertThat(fixture.proxy.resume("one").get()).as("a second time").isFalse();
        }
    }

    @Test
    void aLoginThatTheServerHasToCheckWaitsToo() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2)) {
            assertThat(fixture.proxy.pause("one").get()).isTrue();
            Future<Connection> login = threads.submit(() -> fixture.connect());
            await().until(() -> pool(fixture).waiting() == 1);
            assertThat(fixture.server.counters().connections()).isZero();
            fixture.proxy.resume("one").get();
            login.get().close();
        }
    }

    @Test
    void aRequestThatWaitsTooLongIsToldOfThePause() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2);
                Connection ana = fixture.connect()) {
            fixture.proxy.pause("one").get();
            fixture.patience(Duration.ofMillis(100));
            assertThat(pool(fixture).paused()).as("new settings do not end it").isTrue();
            assertThatThrownBy(() -> ask(ana, "SELECT 1"))
                    .hasMessageContaining("bucket one is paused by its operator")
                    .extracting(e -> ((SQLException) e).getErrorCode())
                    .isEqualTo(50004);
            fixture.proxy.resume("one").get();
            assertThat(ask(ana, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aPauseThatIsResumedBeforeTheWorkEndsSaysSo() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2);
                Connection working = fixture.connect()) {
            run(working, "BEGIN TRANSACTION");
            CompletableFuture<Boolean> quiesced = fixture.proxy.pause("one");
            fixture.proxy.resume("one").get();
            assertThat(quiesced.get()).isFalse();
        }
    }

    @Test
    void removingAPausedBucketEndsThePause() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2);
                Connection working = fixture.connect()) {
            run(working, "BEGIN TRANSACTION");
            CompletableFuture<Boolean> quiesced = fixture.proxy.pause("one");
            fixture.proxy.remove("one", Duration.ofMillis(50));
            assertThat(quiesced.get()).isFalse();
            assertThatThrownBy(() -> fixture.proxy.pause("one")).hasMessage("no bucket one");
            assertThatThrownBy(() -> fixture.proxy.resume("one")).hasMessage("no bucket one");
            assertThatThrownBy(() -> fixture.proxy.reconnect("one")).hasMessage("no bucket one");
        }
    }

    @Test
    void aReconnectReplacesIdleConnectionsNowAndOneInATransactionAfterwards() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2);
                Connection working = fixture.connect();
                Connection resting = fixture.connect()) {
            run(working, "BEGIN TRANSACTION");
            String mine = ask(working, SESSION);
            String idle = ask(resting, SESSION);
            assertThat(idle).isNotEqualTo(mine);
            assertThat(fixture.server.counters().connections()).isEqualTo(2);

            assertThat(fixture.proxy.reconnect("one").get()).isEqualTo(2);
            await().until(() -> fixture.server.counters().sessionsOpen() == 1);
            assertThat(ask(working, SESSION)).as("undisturbed").isEqualTo(mine);
            assertThat(ask(resting, "SELECT 7")).isEqualTo("7");
            assertThat(fixture.server.counters().connections()).isEqualTo(3);
            assertThat(ask(working, "SELECT @@TRANCOUNT")).isEqualTo("1");

            run(working, "COMMIT");
            await().until(() -> fixture.server.counters().sessionsOpen() == 1);
            assertThat(ask(working, "SELECT 8")).isEqualTo("8");
            assertThat(ask(resting, "SELECT 9")).isEqualTo("9");
            assertThat(fixture.server.counters().connections())
                    .as("those that came after it are used again")
                    .isLessThanOrEqualTo(4);
        }
    }

    @Test
    void aReconnectLeavesADedicatedClientAlone() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        ServerDial.Mode.LOGIN,
                        server -> server.windowsLogin("CORP\\ana", "Secret-2"),
                        settings -> settings.maxConnections(2).minIdle(0));
                Connection ana = windows(fixture)) {
            String session = ask(ana, SESSION);
            fixture.proxy.reconnect("one").get();
            assertThat(ask(ana, SESSION)).isEqualTo(session);
            assertThat(fixture.server.counters().connections()).isEqualTo(1);
        }
    }

    private static BucketSnapshot pool(ProxyFixture fixture) {
        return fixture.proxy.glance("one").pool();
    }

    static Connection windows(ProxyFixture fixture) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                + ";databaseName=AppDB;encrypt=false;integratedSecurity=true;authenticationScheme=NTLM;domain=CORP;user=ana"
                + ";connectRetryCount=0;password=Secret-2");
    }
}
