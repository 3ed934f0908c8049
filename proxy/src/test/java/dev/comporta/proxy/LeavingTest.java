package dev.comporta.proxy;

import static dev.comporta.proxy.ProxyFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of an instance that stops: each goes as soon as it may, and loses nothing. */
@Timeout(60)
class LeavingTest {
    private static final Duration LONG = Duration.ofSeconds(30);

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
            run(holder, "BEGIN TRANSACTION");
            Future<?> request = threads.submit(() -> statement.executeQuery("SELECT 1"));
            await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
            Future<Boolean> drained = threads.submit(() -> fixture.proxy.drain(LONG));
            assertThat(resting.isHungUpOn()).isTrue();
            statement.cancel();
            assertThatThrownBy(request::get).hasCauseInstanceOf(SQLException.class);
            await().until(() -> fixture.proxy.glance("one").clients() == 1);
            run(holder, "COMMIT");
            assertThat(drained.get()).isTrue();
        }
    }
}
