package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
    void numbersAreOverwrittenWhereverPacketsAreCut() {
        ByteBuf first = packet(3);
        ByteBuf empty = packet(0);
        ByteBuf second = packet(2);
        ByteBuf third = packet(4);
        hold(first, empty, second, third);
        HeldPackets.Overwriting message = held.overwriting();
        message.put(1, 4, 0x04030201);
        message.put(6, 1, 0x11);
        message.put(8, 4, 0x24232221); // more than there is
        assertThat(ByteBufUtil.hexDump(first, PacketHeader.LENGTH, 3)).isEqualTo("ff0102");
        assertThat(ByteBufUtil.hexDump(second, PacketHeader.LENGTH, 2)).isEqualTo("0304");
        assertThat(ByteBufUtil.hexDump(third, PacketHeader.LENGTH, 4)).isEqualTo("ff11ff21");
    }

    @Test
    void numbersInAThousandPacketsAreFoundByLookingAtEachPacketOnce() {
        AtomicInteger looks = new AtomicInteger();
        int packets = 1000;
        for (int i = 0; i < packets; i++) {
            hold(counted(looks));
        }
        looks.set(0);
        HeldPackets.Overwriting message = held.overwriting();
        for (int i = 0; i < packets; i++) {
            message.put(4 * i, 4, i);
        }
        assertThat(looks).hasValue(packets);
    }

    /** A packet of four bytes that counts how often its length is asked for. */
    private static ByteBuf counted(AtomicInteger looks) {
        ByteBuf packet = new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, 16, 16) {
            @Override
            public int readableBytes() {
                looks.incrementAndGet();
                return super.readableBytes();
            }
        };
        return packet.writeBytes(packet(4));
    }

    private static ByteBuf packet(int bodyLength) {
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(PacketType.RPC).writeByte(0).writeShort(PacketHeader.LENGTH + bodyLength);
        packet.writeInt(0);
        for (int i = 0; i < bodyLength; i++) {
            packet.writeByte(0xFF);
        }
        return packet;
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

    @Test
    void itIsFullByTheNumberOfSmallPackets() {
        for (int i = 0; i < 1024; i++) {
            hold(packet(1));
            assertThat(held.isFull()).isFalse();
        }
        hold(packet(1));
        assertThat(held.isFull()).isTrue();
        held.remove().release();
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
