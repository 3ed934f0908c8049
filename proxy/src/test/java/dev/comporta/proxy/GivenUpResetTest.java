package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that is closed because nobody knows what its session is like gives its connection back at once. */
@Timeout(60)
class GivenUpResetTest {
    /** A reset that was never begun does not end within the test. */
    private static final HealthSettings PATIENT = new HealthSettings(
            HealthSettings.Check.PING,
            Duration.ZERO,
            Duration.ofMinutes(10),
            3,
            2,
            Duration.ofMillis(500),
            Duration.ofSeconds(5));

    @Test
    void theNextClientIsServed() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        settings -> settings.maxConnections(1).minIdle(0).health(PATIENT));
                RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            assertThat(client.answerTo("BEGIN TRANSACTION")).isNotEmpty();
            client.sendBatch(
                    "SELECT 1",
                    AllHeaders.AUTOCOMMIT,
                    PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE);
            client.readToEnd();
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
    }
}
