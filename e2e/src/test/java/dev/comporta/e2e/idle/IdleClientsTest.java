package dev.comporta.e2e.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.bench.load.IdleClients;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Clients that mostly rest cost little, and are answered when they ask. Both tests run at the same time, and beside other
 * classes: what is measured is a process of its own, and most of the time it is waited for until that has come to rest.
 */
@Execution(ExecutionMode.CONCURRENT)
class IdleClientsTest {
    /**
     * What the proxy may take for a client at rest, in and outside of its heap. Two kilobytes were measured on a quiet machine,
     * and up to 2.4 on a busy one.
     */
    private static final int PLAIN_BYTES = 3 * 1024;

    private static final int TLS_BYTES = 12 * 1024;

    /** A driver gives up after this unless it is told otherwise. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    @Test
    void fiveThousandAtRestShareTwentyServerConnectionsAndWhoAsksIsAnswered() throws Exception {
        IdleClients.Found found = IdleClients.measure(5_000, Duration.ofSeconds(3), false);
        assertServed(found);
        assertThat(found.heapPerClient() + found.outsidePerClient())
                .as("bytes for a client: %s", found)
                .isBetween(1L, (long) PLAIN_BYTES);
    }

    /** Fewer of them, because a handshake takes a hundred times as long as a plain login. */
    @Test
    void encryptedOnesAtRestCostLittleTooAndWhoAsksIsAnswered() throws Exception {
        IdleClients.Found found = IdleClients.measure(1_500, Duration.ofSeconds(1), true);
        assertServed(found);
        assertThat(found.heapPerClient() + found.outsidePerClient())
                .as("bytes for an encrypted client: %s", found)
                .isBetween(1L, (long) TLS_BYTES);
    }

    private static void assertServed(IdleClients.Found found) {
        System.out.println(found);
        assertThat(found.answers()).as("answers").isPositive();
        assertThat(found.errors()).as("errors").isZero();
        assertThat(found.slowest()).as("slowest answer").isLessThan(TIMEOUT);
        assertThat(found.serverConnections()).as("server connections").isBetween(1, 20);
        assertThat(found.heapLeftPerClient())
                .as("bytes for a client that has left")
                .isLessThanOrEqualTo(IdleClients.LEFT_BYTES);
    }
}
