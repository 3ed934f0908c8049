package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a client may keep its server connection. With each look a minute has passed. */
class PinLimitTest {
    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String BEGUN = "e3 0b00 08 08 0100000000000000 00";
    private static final String COMMITTED = "e3 0b00 09 00 08 0100000000000000";

    private static final ClientLimits WARN = limits(Duration.ofSeconds(90), false);
    private static final ClientLimits CLOSE = limits(Duration.ofSeconds(90), true);

    @Test
    void onePinIsToldOfOnce() {
        ClientStage stage = inTransaction();
        stage.check(WARN);
        assertThat(stage.outcome()).isEmpty();
        stage.check(WARN);
        assertThat(stage.outcome()).isEqualTo("overdue");
        stage.check(WARN);
        assertThat(stage.outcome()).isEmpty();

        answer(stage, COMMITTED + DONE);
        begin(stage);
        stage.outcome();
        stage.check(WARN);
        assertThat(stage.outcome()).as("the next has its own time").isEmpty();
        stage.check(WARN);
        assertThat(stage.outcome()).isEqualTo("overdue");
        stage.strike();
    }

    @Test
    void anotherReasonIsNoOtherPin() {
        ClientStage stage = inTransaction();
        stage.check(WARN);
        stage.clientSends(Requests.batch("CREATE TABLE #t (id int)"));
        stage.serverSends(true, ClientStage.tokens(COMMITTED + DONE));
        assertThat(stage.outcome()).contains("kept for TEMPORARY_TABLE");
        stage.check(WARN);
        assertThat(stage.outcome()).isEqualTo("overdue");
        stage.strike();
    }

    @Test
    void oneThatRestsIsClosedAndItsConnectionIsNotPassedOnAsItIs() {
        ClientStage stage = inTransaction();
        stage.check(CLOSE);
        assertThat(stage.phase()).isEqualTo(ClientPhase.RESTING);
        stage.check(CLOSE);
        assertThat(stage.phase()).isEqualTo(ClientPhase.CLOSED);
        assertThat(stage.outcome()).contains("released dirty").doesNotContain("released,");
        stage.strike();
    }

    @Test
    void oneThatWaitsForItsAnswerIsTold() {
        ClientStage stage = inTransaction();
        stage.clientSends(Requests.batch("SELECT 1"));
        stage.outcome();
        stage.check(CLOSE);
        stage.check(CLOSE);
        assertThat(stage.phase()).isEqualTo(ClientPhase.CLOSED);
        assertThat(stage.outcome()).contains("client gets ", "50007").contains("abandoned");
        stage.strike();
    }

    @Test
    void whoKeepsNothingHasNoLimit() {
        ClientStage stage = new ClientStage(false);
        stage.outcome();
        stage.check(CLOSE);
        stage.check(CLOSE);
        assertThat(stage.outcome()).isEmpty();
        stage.strike();
    }

    @Test
    void inSessionModeKeepingIsNoPin() {
        ClientStage stage = new ClientStage(true);
        stage.attach(Given.FITTING);
        assertThat(stage.outcome()).contains("kept for SESSION_MODE");
        stage.check(CLOSE);
        stage.check(CLOSE);
        stage.check(WARN);
        assertThat(stage.outcome()).isEmpty();
        assertThat(stage.phase()).isEqualTo(ClientPhase.RESTING);
        stage.strike();
    }

    @Test
    void withoutALimitNothingIsToldOf() {
        ClientStage stage = inTransaction();
        stage.check(limits(Duration.ZERO, true));
        stage.check(limits(Duration.ZERO, false));
        assertThat(stage.outcome()).isEmpty();
        stage.strike();
    }

    private static ClientStage inTransaction() {
        ClientStage stage = new ClientStage(false);
        begin(stage);
        stage.outcome();
        return stage;
    }

    private static void begin(ClientStage stage) {
        stage.clientSends(Requests.batch("BEGIN TRANSACTION"));
        stage.attach(Given.FITTING);
        stage.serverSends(true, ClientStage.tokens(BEGUN + DONE));
    }

    private static void answer(ClientStage stage, String tokens) {
        stage.clientSends(Requests.batch("COMMIT"));
        stage.serverSends(true, ClientStage.tokens(tokens));
    }

    private static ClientLimits limits(Duration pin, boolean closes) {
        return new ClientLimits(
                Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, pin, closes);
    }
}
