package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.LoginResponses;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.RidingReset;
import dev.comporta.proxy.relay.response.RidingReset.Answer;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RidingResetTest {
    private static final String ACKNOWLEDGEMENT = "e30300120000";
    private static final String DONE = "fd1000c1000100000000000000";
    private static final String DONE_OF_USE = "fd01000200" + "0000000000000000";
    private static final String OLD_DONE_OF_USE = "fd01000200" + "00000000";
    private static final String OLD_CANCELLED = "fd2000fd0000000000";
    private static final String CANCELLED = "fd2000fd000000000000000000";

    private final ResponseTracker response =
            new ResponseTracker(new WireFormat(TdsVersion.V7_4), (ordinal, value) -> value);
    private final RidingReset reset = new RidingReset(TdsVersion.V7_4);
    private final RidingReset old = new RidingReset(TdsVersion.V7_1);
    private final PooledServer server = TestServer.connected(LoginResponses.accepted());

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

    /** Babelfish puts the database back before it resets the rest of the session. */
    @Test
    void theEndOfAUseMayComeBeforeTheAcknowledgement() {
        reset.added();
        assertThat(reset.answer(packet(DONE_OF_USE + ACKNOWLEDGEMENT + DONE), false, false))
                .isEqualTo(Answer.ACKNOWLEDGED);
        assertThat(reset.acknowledgementLength()).isEqualTo(13 + 6);
        reset.needed();
        assertThat(reset.answer(packet(DONE_OF_USE + ACKNOWLEDGEMENT + DONE), false, false))
                .isEqualTo(Answer.NOTHING);
        old.added();
        assertThat(old.answer(packet(OLD_DONE_OF_USE + ACKNOWLEDGEMENT + DONE), false, false))
                .isEqualTo(Answer.ACKNOWLEDGED);
        assertThat(old.acknowledgementLength()).isEqualTo(9 + 6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fd00000200" + "0000000000000000", // the last one
                "fd03000200" + "0000000000000000", // failed
                "fd1100c100" + "0100000000000000", // counted a row
                "fd01000200" + "0100000000000000",
                "fe01000200" + "0000000000000000", // a procedure's
                DONE_OF_USE + DONE_OF_USE,
            })
    void nothingElseMayComeBeforeTheAcknowledgement(String before) {
        reset.added();
        assertThat(reset.answer(packet(before + ACKNOWLEDGEMENT + DONE), false, false))
                .isEqualTo(Answer.MISSING);
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
    void theClientsOwnInASessionOfAnotherIsAcknowledgedFirstOrTheResponseIsNotToBeSeen() {
        beginRequestWithReset(false);
        assertThat(server.exchange().toReset(packet(DONE))).isEqualTo(Answer.NOTHING);
        beginRequestWithReset(true);
        assertThat(server.exchange().toReset(packet(DONE))).isEqualTo(Answer.MISSING);
        beginRequestWithReset(true);
        assertThat(server.exchange().toReset(packet(ACKNOWLEDGEMENT + DONE)))
                .as("the client wants to see it")
                .isEqualTo(Answer.NOTHING);
        assertThat(server.exchange().isResetUnproven()).isTrue();
        server.tracker().resetAcknowledged();
        assertThat(server.exchange().isResetUnproven()).isFalse();
    }

    private void beginRequestWithReset(boolean inASessionOfAnother) {
        ByteBuf request = Requests.batch("SELECT 1");
        PacketHeader.setStatus(request, PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        server.beginRequest(request, inASessionOfAnother);
        server.inspector().begin(request, ProcedureRules.SHARE, null, true, false);
        assertThat(PacketHeader.status(request))
                .isEqualTo(PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
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
