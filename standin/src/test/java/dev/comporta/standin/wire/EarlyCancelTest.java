package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that cancel or leave while the thread that is to run their request has only just been started. */
class EarlyCancelTest {
    /** Many more than it takes for a cancel to fall between any two steps by which a request begins. */
    private static final int ROUNDS = 500;

    private static final String LONG_WAIT = "WAITFOR DELAY '00:10:00'";

    private Standin standin;

    @BeforeEach
    void start() throws Exception {
        standin = Standin.builder()
                .address("127.0.0.1")
                .port(0)
                .database("AppDB")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
    }

    @AfterEach
    void stop() {
        standin.close();
    }

    @Test
    void attentionIsNeverLost() throws Exception {
        try (RawClient client = RawClient.loggedIn(standin.port())) {
            for (int round = 0; round < ROUNDS; round++) {
                client.sendBatch(LONG_WAIT, AllHeaders.AUTOCOMMIT, 0);
                client.sendAttention();

                assertThat(client.tokens()).as("round %d", round).containsExactly("DONE 0x2 cmd 0x0 count 0");
                assertThat(client.tokens()).as("round %d", round).containsExactly("DONE 0x20 cmd 0x0 count 0");
            }
        }
    }

    @Test
    void clientThatLeavesLeavesNoSession() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            RawClient client = RawClient.loggedIn(standin.port());
            client.sendBatch(LONG_WAIT, AllHeaders.AUTOCOMMIT, 0);
            client.close();
        }
        await().untilAsserted(
                        () -> assertThat(standin.counters().sessionsOpen()).isZero());
    }
}
