package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.stats.TrafficSnapshot;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is counted of the bytes between the proxy and a server. */
@Timeout(60)
class TrafficTest {
    private static final int LETTERS = 3_000;
    /** Letters are two bytes each on the wire; the rest is a few headers and tokens. */
    private static final int WIRE_BYTES = 2 * LETTERS;

    private static final int SMALL = 1_000;

    @Test
    void bytesOfRequestsAndResponsesAreCountedEachOnItsSide() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(2);
                Connection connection = fixture.connect()) {
            assertThat(ask(connection, "SELECT 1")).isEqualTo("1");
            TrafficSnapshot before = traffic(fixture);

            assertThat(ask(connection, "SELECT LEN('" + "x".repeat(LETTERS) + "')"))
                    .isEqualTo(Integer.toString(LETTERS));
            TrafficSnapshot asked = traffic(fixture);
            assertThat(asked.bytesSent() - before.bytesSent()).isBetween((long) WIRE_BYTES, (long) WIRE_BYTES + SMALL);
            assertThat(asked.bytesReceived() - before.bytesReceived()).isBetween(1L, (long) SMALL);

            assertThat(ask(connection, "SELECT REPLICATE(N'x', " + LETTERS + ")"))
                    .hasSize(LETTERS);
            TrafficSnapshot answered = traffic(fixture);
            assertThat(answered.bytesSent() - asked.bytesSent()).isBetween(1L, (long) SMALL);
            assertThat(answered.bytesReceived() - asked.bytesReceived())
                    .isBetween((long) WIRE_BYTES, (long) WIRE_BYTES + SMALL);
        }
    }

    private static TrafficSnapshot traffic(ProxyFixture fixture) {
        return fixture.proxy.glance("one").pool().traffic();
    }
}
