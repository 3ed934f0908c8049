package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that are to leave, mostly because the instance stops: each goes as soon as it may, and loses nothing. */
@Timeout(60)
class LeavingTest {
    /** Long enough for a busy machine; the longer it is, the longer a client has to be silent. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final ClientLimits IDLE_IN_TRANSACTION =
            new ClientLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, SHORT, Duration.ZERO, Duration.ZERO);

    private final LeakWatch leaks = new LeakWatch();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void noBufferIsLost() {
        threads.close();
        leaks.assertNone();
        leaks.close();
    }

    @Test
    void aQueuedClientGoesWhenItHasCancelled() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                Connection holder = fixture.connect();
                Connection queued = fixture.connect();
                RawClient resting = RawClient.loggedIn(fixture.proxy.port());
                Statement statement = queued.createStatement()) {
            run(holder, "BEGIN TRANSACTION; SELECT 1");
            Future<?> request = threads.submit(() -> statement.executeQuery("SELECT 1"));
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            Future<Boolean> drained = threads.submit(() -> fixture.proxy.drain(LONG));
            assertThat(resting.isHungUpOn()).isTrue();
            await("the holder and who is queued stay")
                    .until(() -> fixture.proxy.glance("one").clients() == 2);
            statement.cancel();
            assertThatThrownBy(request::get).hasCauseInstanceOf(SQLException.class);
            await().until(() -> fixture.proxy.glance("one").clients() == 1);
            run(holder, "COMMIT");
            assertThat(drained.get()).isTrue();
        }
    }

    @Test
    void aWindowsClientThatRestsIsNotWaitedForLong() throws Exception {
        try (ProxyFixture fixture = windowsLogins(2, IDLE_IN_TRANSACTION);
                Connection ana = windows(fixture)) {
            assertThat(ask(ana, "SELECT 1")).isEqualTo("1");
            assertThat(fixture.proxy.drain(LONG)).isTrue();
            assertThatThrownBy(() -> ask(ana, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aWindowsClientIsNotCutOffWhileItsRequestRuns() throws Exception {
        try (ProxyFixture fixture = windowsLogins(2, ClientLimits.NONE);
                Connection ana = windows(fixture)) {
            long before = fixture.server.counters().requests();
            Future<String> request = threads.submit(() -> ask(ana, "WAITFOR DELAY '00:00:03'; SELECT 7"));
            await().until(() -> fixture.server.counters().requests() > before);
            fixture.limits(new ClientLimits(SHORT, SHORT, Duration.ZERO, SHORT, Duration.ZERO, Duration.ZERO));
            assertThat(fixture.proxy.drain(LONG)).isTrue();
            assertThat(request.get()).isEqualTo("7");
        }
    }

    @Test
    void aWindowsClientsSessionIsLimitedToo() throws Exception {
        try (ProxyFixture fixture = windowsLogins(2, ClientLimits.NONE);
                Connection _ = windows(fixture)) {
            fixture.limits(new ClientLimits(Duration.ZERO, SHORT, Duration.ZERO, SHORT, Duration.ZERO, Duration.ZERO));
            await().until(() -> fixture.proxy.glance("one").clients() == 0);
        }
    }

    @Test
    void aWindowsClientThatStillWaitsForItsConnectionIsSentAway() throws Exception {
        try (ProxyFixture fixture = windowsLogins(1, ClientLimits.NONE);
                Connection holder = fixture.connect()) {
            run(holder, "BEGIN TRANSACTION; SELECT 1");
            Future<Connection> waits = threads.submit(() -> windows(fixture));
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            Future<Boolean> drained = threads.submit(() -> fixture.proxy.drain(LONG));
            // It is told to connect again, and does, which is in vain here.
            assertThatThrownBy(waits::get).hasCauseInstanceOf(SQLException.class);
            await().until(() -> fixture.proxy.glance("one").clients() == 1);
            assertThat(drained.isDone()).isFalse();
            run(holder, "COMMIT");
            assertThat(drained.get()).isTrue();
        }
    }

    private static ProxyFixture windowsLogins(int limit, ClientLimits limits) throws Exception {
        return ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.LOGIN,
                server -> server.windowsLogin("CORP\\ana", "Secret-2"),
                limits,
                settings -> settings.maxConnections(limit).minIdle(0));
    }

    private static Connection windows(ProxyFixture fixture) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                + ";databaseName=AppDB;encrypt=false;integratedSecurity=true;authenticationScheme=NTLM;domain=CORP;user=ana"
                + ";connectRetryCount=0;password=Secret-2");
    }
}
