package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldPacketsTest {
    private final HeldPackets held = new HeldPackets();

    @Test
    void theFirstMessageIsWholeWithItsLastPacket() {
        hold(part());
        assertThat(held.hasMessage()).isFalse();
        hold(end());
        assertThat(held.hasMessage()).isTrue();
        assertThat(held.isGivenUp()).isFalse();
        assertThat(held.isCancelled()).isFalse();
    }

    @Test
    void anAttentionRightBehindTheFirstMessageOrWithinItCancelsIt() {
        hold(part(), end(), attention());
        assertThat(held.isCancelled()).isTrue();
        held.release();
        hold(part(), attention());
        assertThat(held.isCancelled()).isTrue();
        held.release();
        hold(end(), end(), attention());
        assertThat(held.isCancelled()).as("it is the second that is cancelled").isFalse();
    }

    @Test
    void whatIsDroppedIsTheFirstMessageWithItsAttentionAndNothingElse() {
        ByteBuf next = part();
        hold(part(), end(), attention(), next);
        held.dropMessage();
        assertThat(held.first()).isSameAs(next);
        held.release();
        ByteBuf second = end();
        hold(end(), second, attention());
        held.dropMessage();
        assertThat(held.first()).isSameAs(second);
        assertThat(held.isCancelled()).isTrue();
        held.dropMessage();
        assertThat(held.isEmpty()).isTrue();
        hold(part(), part());
        held.dropMessage();
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void anotherFormOfTheFirstMessageStandsBeforeTheRestInItsOwnOrder() {
        ByteBuf next = end();
        hold(part(), end(), next);
        held.removeMessage();
        ByteBuf first = part();
        ByteBuf second = part();
        ByteBuf last = end();
        held.addFirst(List.of(first, second, last));
        assertThat(held.packetsOfMessage()).isEqualTo(3);
        for (ByteBuf packet : List.of(first, second, last, next)) {
            assertThat(held.first()).isSameAs(packet);
            held.remove().release();
        }
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void aMessageIsGivenUpByItsLastPacket() {
        hold(part(), packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE));
        assertThat(held.isGivenUp()).isTrue();
    }

    @Test
    void whatIsReleasedIsNotHeldAnyMore() {
        ByteBuf packet = part();
        hold(packet);
        held.release();
        assertThat(packet.refCnt()).isZero();
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void itIsFullByTheBytesOfUsualPacketsAndByTheNumberOfEmptyOnes() {
        while (held.bytes() < 64 * 1024) {
            assertThat(held.isFull()).isFalse();
            hold(Unpooled.buffer().writeZero(512));
        }
        assertThat(held.isFull()).isFalse();
        hold(part());
        assertThat(held.isFull()).isTrue();
        held.remove().release();
        assertThat(held.isFull()).isFalse();
        held.release();
        for (int i = 0; i < 256; i++) {
            hold(part());
            assertThat(held.isFull()).isFalse();
        }
        hold(part());
        assertThat(held.isFull()).isTrue();
        held.removeMessage();
        assertThat(held.isFull()).isFalse();
    }

    private void hold(ByteBuf... packets) {
        for (ByteBuf packet : packets) {
            held.add(packet);
        }
    }

    private static ByteBuf part() {
        return packet(PacketType.SQL_BATCH, 0);
    }

    private static ByteBuf end() {
        return packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM);
    }

    private static ByteBuf attention() {
        return packet(PacketType.ATTENTION, PacketHeader.STATUS_EOM);
    }

    private static ByteBuf packet(int type, int status) {
        return Requests.packet(type, status, Unpooled.EMPTY_BUFFER);
    }
}
