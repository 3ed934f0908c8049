package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

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
            assertThat(tracker.toldOfTransaction()).isTrue();
        }
    }

    @Test
    void aTransactionOutlastsTheResponseThatBeganIt() {
        tracker.transactionBegan(TRANSACTION);
        tracker.beginResponse();
        assertThat(tracker.inTransaction()).isTrue();
        assertThat(tracker.toldOfTransaction()).isFalse();
    }

    @Test
    void aResetInATransactionIsNotBelievedUntilTheServerWasAsked() {
        tracker.transactionBegan(TRANSACTION);
        tracker.wasReset();
        assertThat(tracker.isDoubted()).isTrue();
        tracker.beginResponse();
        tracker.probed();
        assertThat(tracker.isDoubted()).isFalse();
        assertThat(tracker.inTransaction()).isFalse();
    }

    @Test
    void aProbeThatIsAnsweredMeansATransactionWhoseNumberIsNotKnown() {
        tracker.beginResponse();
        tracker.info(50_000, 77, 10);
        tracker.probed();
        assertThat(tracker.inTransaction()).isTrue();
        assertThat(tracker.descriptor()).isZero();
    }

    @Test
    void aProbeThatFailsProvesNothing() {
        tracker.beginResponse();
        tracker.error(50_000, 1, 16);
        tracker.probed();
        assertThat(tracker.isDoubted()).isTrue();
    }

    @Test
    void anEndIsTakenOnce() {
        tracker.endOfResponse();
        assertThat(tracker.takeEnded()).isTrue();
        assertThat(tracker.takeEnded()).isFalse();
    }
}
