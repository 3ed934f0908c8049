package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.ConnectionState;
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
    private static final Duration LESS_THAN_A_RESET_MAY_TAKE = Duration.ofSeconds(3);

    @Test
    void theNextClientIsServed() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(1);
                RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            assertThat(client.answerTo("BEGIN TRANSACTION")).isNotEmpty();
            client.sendBatch(
                    "SELECT 1",
                    AllHeaders.AUTOCOMMIT,
                    PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE);
            client.readToEnd();
            await().atMost(LESS_THAN_A_RESET_MAY_TAKE)
                    .until(() -> fixture.proxy.glance("one").pool().count(ConnectionState.RESETTING) == 0);
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
    }
}
