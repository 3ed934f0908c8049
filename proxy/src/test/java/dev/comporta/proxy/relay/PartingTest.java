package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.ClientStage.Given;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a client of a bucket that drains is closed: 15 seconds from its login on, unless said otherwise. */
class PartingTest {
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(3);
    private static final Duration A_MOMENT = Duration.ofMillis(100);
    private static final Duration LATE = Duration.ofMillis(9_100);
    private static final Duration LAST = Duration.ofMillis(13_600);
    private static final DrainPace PACE = DrainPace.of(Duration.ofSeconds(15), 0);

    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String BEGAN = "e3 0b00 08 08 0500000000000000 00";
    private static final String RESET = "e3 0300 12 00 00";
    private static final String COMMITTED = "e3 0b00 09 00 08 0500000000000000";

    private final ClientStage stage = new ClientStage(false);

    @BeforeEach
    void loggedIn() {
        stage.outcome();
    }

    @AfterEach
    void nothingIsLost() {
        stage.strike();
    }

    private static ByteBuf request() {
        return Requests.batch("SELECT 1");
    }

    private void asks() {
        stage.attachAtOnce(Given.FITTING);
        stage.clientSends(request());
    }

    private void isAnswered(String tokens) {
        stage.serverSends(true, ClientStage.tokens(tokens + DONE));
    }

    private boolean isClosed() {
        return stage.phase() == ClientPhase.CLOSED;
    }

    @Test
    void aClientGoesWhenItWasSilentForLong() {
        stage.departAfter(Duration.ofMillis(2000), PACE);
        assertThat(isClosed()).isFalse();
        stage.departAfter(Duration.ofMillis(500), PACE);
        assertThat(isClosed()).isTrue();
        assertThat(stage.outcome()).contains("client is closed");
    }

    @Test
    void oneThatWasSilentBeforeTheDrainGoesAtOnce() {
        stage.departAfter(LONG, DrainPace.of(Duration.ofSeconds(15), LONG.toNanos()));
        assertThat(isClosed()).isTrue();
    }

    @Test
    void itsSilenceBeginsWithItsLastAnswer() {
        stage.departAfter(Duration.ofMillis(2000), PACE);
        asks();
        stage.departAfter(LONG, PACE);
        assertThat(isClosed()).as("while it is served").isFalse();
        isAnswered("");
        stage.departAfter(A_MOMENT, PACE);
        assertThat(isClosed()).as("right after its answer").isFalse();
        stage.departAfter(LONG, PACE);
        assertThat(isClosed()).isTrue();
    }

    @Test
    void silenceInATransactionDoesNotCount() {
        asks();
        isAnswered(BEGAN);
        stage.departAfter(LONG, PACE);
        stage.departAfter(LATE, PACE);
        assertThat(isClosed()).isFalse();
        stage.clientSends(request());
        isAnswered(COMMITTED);
        assertThat(isClosed()).isTrue();
    }

    @Test
    void aTransactionThatWasOnlyBegunHoldsNoSilentClient() {
        stage.attachAtOnce(Given.FITTING);
        stage.clientSends(Requests.batch("BEGIN TRANSACTION"));
        isAnswered(BEGAN);
        stage.departAfter(A_MOMENT, PACE);
        assertThat(isClosed()).as("it may be about to use it").isFalse();
        stage.departAfter(LONG, PACE);
        assertThat(isClosed()).isTrue();
    }

    @Test
    void aTransactionThatWasBegunASecondTimeIsNotEmpty() {
        asks();
        isAnswered(BEGAN);
        stage.clientSends(Requests.batch("BEGIN TRANSACTION"));
        isAnswered("");
        stage.departAfter(LONG, PACE);
        assertThat(isClosed()).isFalse();
    }

    @Test
    void lateInTheDrainABusyClientGoesAfterItsTransactionAndNotAfterTheTestBeforeIt() {
        stage.pass(LATE.minus(A_MOMENT));
        asks();
        isAnswered("");
        stage.departAfter(A_MOMENT, PACE);
        asks();
        isAnswered("");
        assertThat(isClosed()).as("after a test of the connection").isFalse();
        asks();
        isAnswered(BEGAN);
        stage.clientSends(request());
        isAnswered("");
        assertThat(isClosed()).as("in its transaction").isFalse();
        stage.clientSends(request());
        isAnswered(COMMITTED);
        assertThat(isClosed()).as("after its commit").isTrue();
        assertThat(stage.outcome()).contains("client is closed");
    }

    /** As JDBC's pools do between a commit and the connection's return to the pool. */
    @Test
    void oneThatTurnsImplicitTransactionsOffGoesAfterThatAndNotAfterItsCommit() {
        stage.pass(LATE.minus(A_MOMENT));
        transactsImplicitly();
        turnsImplicitTransactionsOff();
        stage.departAfter(A_MOMENT, PACE);
        transactsImplicitly();
        assertThat(isClosed()).as("after its commit").isFalse();
        turnsImplicitTransactionsOff();
        assertThat(isClosed()).as("when implicit transactions are off").isTrue();
        assertThat(stage.outcome()).contains("client is closed");
    }

    @Test
    void oneThatLeavesImplicitTransactionsOnGoesAfterItsCommit() {
        stage.pass(LATE.minus(A_MOMENT));
        transactsImplicitly();
        stage.departAfter(A_MOMENT, PACE);
        transactsImplicitly();
        assertThat(isClosed()).isTrue();
    }

    private void transactsImplicitly() {
        asksElsewhere("set implicit_transactions on ", "");
        asksElsewhere("INSERT INTO t VALUES (1)", BEGAN);
        stage.clientSends(Requests.batch("IF @@TRANCOUNT > 0 COMMIT TRAN"));
        isAnswered(COMMITTED);
    }

    private void turnsImplicitTransactionsOff() {
        asksElsewhere("IF @@TRANCOUNT > 0 COMMIT TRAN set implicit_transactions off ", "");
    }

    /** On a connection that the client has not used, and that is brought into its session state first. */
    private void asksElsewhere(String sql, String tokens) {
        stage.attachAtOnce(Given.FITTING);
        stage.clientSends(Requests.batch(sql));
        if (stage.phase() == ClientPhase.PREPARING) {
            isAnswered(RESET);
        }
        assertThat(stage.phase()).isEqualTo(ClientPhase.RESPONDING);
        isAnswered(tokens);
    }

    @Test
    void atTheLastAClientGoesAfterAnyAnswer() {
        asks();
        stage.departAfter(LAST, PACE);
        assertThat(isClosed()).isFalse();
        isAnswered("");
        assertThat(isClosed()).isTrue();
        assertThat(stage.outcome()).contains("client gets response");
    }

    @Test
    void aTransactionThatIsOpenAtTheLastGoesOn() {
        asks();
        isAnswered(BEGAN);
        stage.departAfter(LAST, PACE);
        stage.clientSends(request());
        isAnswered("");
        assertThat(isClosed()).isFalse();
        stage.clientSends(request());
        isAnswered(COMMITTED);
        assertThat(isClosed()).isTrue();
    }

    @Test
    void aRequestThatHasComeIsServed() {
        stage.departAfter(NOW, PACE);
        stage.attachAtOnce(Given.FITTING);
        stage.clientSends(request());
        stage.departAfter(LAST, PACE);
        assertThat(stage.outcome()).contains("server gets request");
        isAnswered("");
        assertThat(stage.outcome()).contains("client gets response", "client is closed");
    }
}
