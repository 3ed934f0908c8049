package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.token.IntegerAnswer;
import org.junit.jupiter.api.Test;

class ResponseTrackerTest {
    private static final long TRANSACTION = 77L;

    private final ResponseTracker tracker = new ResponseTracker((ordinal, value) -> {});

    @Test
    void everyWayToEndATransactionEndsIt() {
        Runnable[] ends = {
            () -> tracker.transactionCommitted(TRANSACTION),
            () -> tracker.transactionRolledBack(TRANSACTION),
            () -> tracker.transactionDefected(TRANSACTION),
            () -> tracker.transactionEnded(TRANSACTION)
        };
        for (Runnable end : ends) {
            tracker.beginResponse();
            tracker.transactionBegan(TRANSACTION);
            assertThat(tracker.inTransaction()).isTrue();
            assertThat(tracker.descriptor()).isEqualTo(TRANSACTION);
            end.run();
            assertThat(tracker.inTransaction()).isFalse();
        }
    }

    @Test
    void aTransactionOutlastsTheResponseThatBeganIt() {
        tracker.transactionBegan(TRANSACTION);
        tracker.beginResponse();
        assertThat(tracker.inTransaction()).isTrue();
        assertThat(tracker.toldOfOneTransaction()).isFalse();
    }

    @Test
    void aServerIsBelievedThatTellsOfOneTransactionAndNothingElse() {
        tracker.transactionBegan(TRANSACTION);
        assertThat(tracker.toldOfOneTransaction()).isFalse();
        tracker.transactionRolledBack(TRANSACTION);
        assertThat(tracker.toldOfOneTransaction()).isTrue();
        tracker.transactionCommitted(TRANSACTION);
        assertThat(tracker.toldOfOneTransaction()).isFalse();
    }

    @Test
    void aResetInATransactionIsNotBelievedUntilTheServerWasAsked() {
        tracker.transactionBegan(TRANSACTION);
        tracker.wasReset();
        assertThat(tracker.isDoubted()).isTrue();
        tracker.beginResponse();
        tracker.probed(0);
        assertThat(tracker.isDoubted()).isFalse();
        assertThat(tracker.inTransaction()).isFalse();
    }

    @Test
    void aProbeThatIsAnsweredMeansATransactionWhoseNumberIsNotKnown() {
        tracker.beginResponse();
        tracker.probed(1);
        assertThat(tracker.inTransaction()).isTrue();
        assertThat(tracker.descriptor()).isZero();
    }

    @Test
    void aProbeThatFailsProvesNothing() {
        tracker.beginResponse();
        tracker.probed(IntegerAnswer.NONE);
        assertThat(tracker.isDoubted()).isTrue();
        assertThat(tracker.isSurelyOutside()).isFalse();
    }

    @Test
    void anEndIsTakenOnce() {
        tracker.endOfResponse();
        assertThat(tracker.takeEnded()).isTrue();
        assertThat(tracker.takeEnded()).isFalse();
    }
}
