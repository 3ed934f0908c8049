package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.RidingReset;
import dev.comporta.proxy.relay.response.RidingReset.Answer;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class RidingResetTest {
    private static final String ACKNOWLEDGEMENT = "e30300120000";
    private static final String DONE = "fd1000c1000100000000000000";
    private static final String OLD_CANCELLED = "fd2000fd0000000000";
    private static final String CANCELLED = "fd2000fd000000000000000000";

    private final ResponseTracker response =
            new ResponseTracker(new WireFormat(TdsVersion.V7_4), (ordinal, value) -> value);
    private final RidingReset reset = new RidingReset(true);
    private final RidingReset old = new RidingReset(false);

    @Test
    void anAddedOneIsAcknowledgedFirstOrTheResponseIsNotToBeSeen() {
        reset.added();
        assertThat(reset.answer(packet(ACKNOWLEDGEMENT + DONE), false, false)).isEqualTo(Answer.ACKNOWLEDGED);
        assertThat(reset.answer(packet(DONE), false, false))
                .as("the second packet")
                .isEqualTo(Answer.NOTHING);
        reset.added();
        assertThat(reset.answer(packet(DONE), false, false)).isEqualTo(Answer.MISSING);
        reset.added();
        assertThat(reset.answer(packet(DONE + ACKNOWLEDGEMENT), false, false)).isEqualTo(Answer.MISSING);
    }

    @Test
    void aRequestThatWasCancelledBeforeItBeganHasNothingToHide() {
        reset.added();
        assertThat(reset.answer(packet(CANCELLED), true, false)).isEqualTo(Answer.NOTHING);
        assertThat(reset.isUnproven(response, false)).isTrue();
        reset.added();
        assertThat(reset.answer(packet(CANCELLED), false, false)).isEqualTo(Answer.MISSING);
        reset.added();
        assertThat(reset.answer(packet(DONE + CANCELLED), true, false)).isEqualTo(Answer.MISSING);
    }

    @Test
    void theClientsOwnIsLeftInTheResponse() {
        reset.asked();
        assertThat(reset.answer(packet(ACKNOWLEDGEMENT + DONE), false, false)).isEqualTo(Answer.NOTHING);
        assertThat(reset.isUnproven(response, false)).isTrue();
        response.resetAcknowledged();
        assertThat(reset.isUnproven(response, false)).isFalse();
    }

    @Test
    void whereTheVersionHasNoAcknowledgementARequestThatRanIsProof() {
        old.added();
        assertThat(old.answer(packet(DONE), false, false)).isEqualTo(Answer.NOTHING);
        assertThat(old.isUnproven(response, false)).isFalse();
        assertThat(old.isUnproven(response, true)).isTrue();
        response.attentionAcknowledged();
        assertThat(old.isUnproven(response, false)).isFalse();
        old.added();
        assertThat(old.answer(packet(OLD_CANCELLED), true, false)).isEqualTo(Answer.NOTHING);
        assertThat(old.isUnproven(response, false)).isTrue();
        assertThat(old.mayHaveRun(false)).isTrue();
        // Babelfish acknowledges all the same, and the client must not see it.
        old.added();
        assertThat(old.answer(packet(ACKNOWLEDGEMENT + DONE), false, false)).isEqualTo(Answer.ACKNOWLEDGED);
    }

    @Test
    void withoutOneNothingIsToBeProven() {
        assertThat(reset.answer(packet(DONE), false, false)).isEqualTo(Answer.NOTHING);
        assertThat(reset.isUnproven(response, false)).isFalse();
    }

    private static ByteBuf packet(String hex) {
        return Requests.packet(
                PacketType.TABULAR_RESULT,
                PacketHeader.STATUS_EOM,
                Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
    }
}
