package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.ResponseTracker.Verdict;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

class ResponseTrackerTest {
    private static final String DONE = "fd 0000 0000 0000000000000000";
    private static final String ATTENTION = "fd 2000 0000 0000000000000000";

    private static final long TRANSACTION = 77L;

    private final ResponseTracker tracker =
            new ResponseTracker(new WireFormat(TdsVersion.V7_4), (ordinal, value) -> value);

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
            assertThat(tracker.transaction().isOpen()).isTrue();
            assertThat(tracker.transaction().descriptor()).isEqualTo(TRANSACTION);
            end.run();
            assertThat(tracker.transaction().isOpen()).isFalse();
        }
    }

    @Test
    void aTransactionOutlastsTheResponseThatBeganIt() {
        tracker.transactionBegan(TRANSACTION);
        tracker.beginResponse();
        assertThat(tracker.transaction().isOpen()).isTrue();
        assertThat(tracker.transaction().toldOfOne()).isFalse();
    }

    @Test
    void aServerIsBelievedThatTellsOfOneTransactionAndNothingElse() {
        tracker.transactionBegan(TRANSACTION);
        assertThat(tracker.transaction().toldOfOne()).isFalse();
        tracker.transactionRolledBack(TRANSACTION);
        assertThat(tracker.transaction().toldOfOne()).isTrue();
        tracker.transactionCommitted(TRANSACTION);
        assertThat(tracker.transaction().toldOfOne()).isFalse();
    }

    @Test
    void aResetInATransactionIsNotBelievedUntilTheServerWasAsked() {
        tracker.transactionBegan(TRANSACTION);
        tracker.transaction().wasReset();
        assertThat(tracker.transaction().isDoubted()).isTrue();
        tracker.beginResponse();
        tracker.transaction().probed(0);
        assertThat(tracker.transaction().isDoubted()).isFalse();
        assertThat(tracker.transaction().isOpen()).isFalse();
    }

    @Test
    void aProbeThatIsAnsweredMeansATransactionWhoseNumberIsNotKnown() {
        tracker.beginResponse();
        tracker.transaction().probed(1);
        assertThat(tracker.transaction().isOpen()).isTrue();
        assertThat(tracker.transaction().descriptor()).isZero();
    }

    @Test
    void aProbeThatFailsProvesNothing() {
        tracker.beginResponse();
        tracker.transaction().probed(IntegerAnswer.NONE);
        assertThat(tracker.transaction().isDoubted()).isTrue();
        assertThat(tracker.transaction().isSurelyOver()).isFalse();
    }

    @Test
    void aPacketThatNobodyAskedForIsOne() {
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.UNASKED);
        tracker.beginResponse();
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.END);
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.UNASKED);
    }

    @Test
    void aCancelledResponseEndsWithTheAcknowledgement() {
        tracker.beginResponse();
        tracker.cancel();
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.MORE);
        assertThat(tracker.isCancelling()).isTrue();
        assertThat(tracker.onPacket(packet(true, ATTENTION))).isEqualTo(Verdict.END);
        assertThat(tracker.isCancelling()).isFalse();
        assertThat(tracker.attentionIsAcknowledged()).isTrue();
        tracker.beginResponse();
        assertThat(tracker.attentionIsAcknowledged()).isFalse();
    }

    @Test
    void whatCanNotBeReadEndsWithItsMessage() {
        tracker.beginResponse();
        assertThat(tracker.onPacket(packet(false, "00"))).isEqualTo(Verdict.UNREADABLE);
        assertThat(tracker.complaint()).contains("no such token");
        assertThat(tracker.onPacket(packet(false, "00"))).isEqualTo(Verdict.MORE);
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.END);
        tracker.beginResponse();
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.END);
    }

    @Test
    void whatCanNotBeReadAndIsCancelledEndsWithTheAcknowledgement() {
        tracker.beginResponse();
        tracker.onPacket(packet(false, "00"));
        tracker.cancel();
        assertThat(tracker.onPacket(packet(true, DONE))).isEqualTo(Verdict.MORE);
        assertThat(tracker.onPacket(packet(true, ATTENTION))).isEqualTo(Verdict.END);
    }

    private static ByteBuf packet(boolean last, String tokens) {
        return Requests.packet(
                PacketType.TABULAR_RESULT, last ? PacketHeader.STATUS_EOM : 0, ClientStage.tokens(tokens));
    }
}
