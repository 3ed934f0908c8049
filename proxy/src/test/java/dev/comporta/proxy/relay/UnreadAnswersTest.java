package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the proxy answers by itself costs a client a few bytes each. One that does not read the answers must not have them
 * pile up in the memory of all.
 */
class UnreadAnswersTest {
    private final ClientStage stage = new ClientStage(false);

    @BeforeEach
    void logInAndStopReading() {
        stage.outcome();
        stage.clientReads(false);
    }

    @AfterEach
    void strike() {
        stage.strike();
    }

    @Test
    void aCancelIsAcknowledgedWhenTheClientReadsAgain() {
        stage.clientSends(attention());
        assertThat(stage.outcome()).isEqualTo("held");
        stage.clientReads(true);
        assertThat(stage.outcome()).isEqualTo("client gets DONE 0x20");
    }

    @Test
    void whatFollowsAHeldCancelIsHeldBehindIt() {
        stage.clientSends(attention());
        stage.outcome();
        stage.clientSends(attention());
        assertThat(stage.outcome()).isEqualTo("held");
        stage.clientReads(true);
        assertThat(stage.outcome()).isEqualTo("client gets DONE 0x20, client gets DONE 0x20");
    }

    @Test
    void aRequestIsTakenUpWhenTheClientReadsAgain() {
        stage.clientSends(Requests.batch("SELECT 1"));
        assertThat(stage.outcome()).isEqualTo("held");
        stage.clientReads(true);
        assertThat(stage.outcome()).isEqualTo("asks for a connection");
    }

    private static ByteBuf attention() {
        return Requests.packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM, Unpooled.buffer());
    }
}
