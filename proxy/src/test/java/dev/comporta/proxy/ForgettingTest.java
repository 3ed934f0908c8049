package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hundreds of thousands of logins may come once each: what is remembered of them must not pile up. */
@Timeout(60)
class ForgettingTest {
    private static final int LOGINS = 5;
    private static final Duration SHORT = Duration.ofMillis(300);

    @Test
    void aLoginIsForgottenWhenNothingOfItIsLeft() throws Exception {
        Standin.Builder logins = Standin.builder().database("AppDB");
        for (int i = 0; i < LOGINS; i++) {
            logins.login("user" + i, ProxyFixture.PASSWORD);
        }
        try (Standin server = logins.start();
                Proxy proxy = ProxyFixture.startProxy(bucket(server));
                Connection staying = connect(proxy, 0)) {
            for (int i = 1; i < LOGINS; i++) {
                try (Connection passing = connect(proxy, i)) {
                    assertThat(ask(passing, "SELECT SUSER_SNAME()")).isEqualTo("user" + i);
                }
            }
            await().until(() -> proxy.glance("one").logins() == 1);
            assertThat(proxy.glance("one").pool().pools()).hasSizeLessThanOrEqualTo(1);
            // The one that has a client is still that client's, and its next client's.
            assertThat(ask(staying, "SELECT SUSER_SNAME()")).isEqualTo("user0");
            try (Connection another = connect(proxy, 0)) {
                assertThat(ask(another, "SELECT SUSER_SNAME()")).isEqualTo("user0");
                assertThat(proxy.glance("one").logins()).isEqualTo(1);
            }
            // And one that was forgotten is known again when it comes again.
            try (Connection again = connect(proxy, 1)) {
                assertThat(ask(again, "SELECT SUSER_SNAME()")).isEqualTo("user1");
            }
            assertThat(server.counters().failedLogins()).isZero();
        }
    }

    private static BucketSpec bucket(Standin server) {
        return ProxyFixture.bucket(
                new ServerDial("127.0.0.1", server.port(), ServerDial.Mode.OFF, null),
                BucketSpec.PoolMode.TRANSACTION,
                BucketSpec.TransactionTracking.AUTO,
                ClientLimits.NONE,
                "SELECT 1",
                SHORT,
                settings -> settings.maxConnections(LOGINS).minIdle(0).maxIdleTime(SHORT));
    }

    private static Connection connect(Proxy proxy, int login) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + proxy.port()
                + ";databaseName=AppDB;encrypt=false;user=user" + login + ";password=" + ProxyFixture.PASSWORD);
    }
}
