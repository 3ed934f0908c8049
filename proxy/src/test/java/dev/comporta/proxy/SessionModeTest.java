package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ValidationSettings;
import dev.comporta.proxy.loop.BucketSpec;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionModeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void aClientKeepsItsConnectionUntilItLeaves() throws Exception {
        try (ProxyFixture fixture = start(2);
                Connection two = fixture.connect()) {
            String spid;
            try (Connection one = fixture.connect()) {
                spid = ask(one, "SELECT @@SPID");
                run(one, "CREATE TABLE #mine (id INT)");
                assertThat(ask(two, "SELECT @@SPID")).isNotEqualTo(spid);
                assertThat(ask(one, "SELECT @@SPID")).isEqualTo(spid);
                assertThat(ask(one, "SELECT COUNT(*) FROM #mine")).isEqualTo("0");
            }
            try (Connection three = fixture.connect()) {
                assertThat(ask(three, "SELECT @@SPID")).isEqualTo(spid);
            }
        }
    }

    @Test
    void theNextClientGetsTheConnectionReset() throws Exception {
        try (ProxyFixture fixture = start(1)) {
            String spid;
            try (Connection first = fixture.connect()) {
                spid = ask(first, "SELECT @@SPID");
                run(first, "SET DATEFIRST 3; CREATE TABLE #left (id INT)");
            }
            try (Connection second = fixture.connect()) {
                assertThat(ask(second, "SELECT @@SPID")).isEqualTo(spid);
                assertThat(ask(second, "SELECT @@DATEFIRST")).isEqualTo("7");
                getsError(208, () -> ask(second, "SELECT COUNT(*) FROM #left"));
            }
            assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        }
    }

    /** Resets follow those who leave; between one and the next client the proxy itself has asked something. */
    @Test
    void theNextClientDoesNotSeeWhatAHealthCheckHasSet() throws Exception {
        HealthSettings usual = HealthSettings.DEFAULTS;
        HealthSettings byQuery = new HealthSettings(
                HealthSettings.Check.QUERY,
                usual.interval(),
                usual.timeout(),
                usual.failureThreshold(),
                usual.recoveryThreshold(),
                usual.backoff(),
                usual.maxBackoff());
        try (ProxyFixture fixture = ProxyFixture.startChecked(
                BucketSpec.PoolMode.SESSION,
                "SET DATEFIRST 3",
                settings -> settings.maxConnections(1)
                        .minIdle(0)
                        .health(byQuery)
                        .validation(new ValidationSettings(true, false, Duration.ZERO)))) {
            for (int i = 0; i < 2; i++) {
                try (Connection next = fixture.connect()) {
                    assertThat(ask(next, "SELECT @@DATEFIRST")).isEqualTo("7");
                }
            }
            assertThat(fixture.proxy.glance("one").relay().ownMessages().get("health_check"))
                    .isPositive();
            assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        }
    }

    @Test
    void aClientTooManyWaitsAndIsRefusedWhenItsTimeIsOver() throws Exception {
        try (ProxyFixture fixture = start(1)) {
            try (Connection first = fixture.connect()) {
                ask(first, "SELECT 1");
                fixture.patience(Duration.ofMillis(100));
                getsError(50004, fixture::connect);
                fixture.patience(PATIENCE);
            }
            try (Connection second = fixture.connect()) {
                assertThat(ask(second, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    private static ProxyFixture start(int limit) throws Exception {
        return ProxyFixture.start(
                BucketSpec.PoolMode.SESSION,
                settings -> settings.maxConnections(limit).minIdle(0).queue(new QueueSettings(PATIENCE, 10)));
    }
}
