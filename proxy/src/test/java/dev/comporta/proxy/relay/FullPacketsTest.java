package dev.comporta.proxy.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.relay.response.FullPackets;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets of 24 bytes, of which the header is 8 and the removed acknowledgement 6. */
class FullPacketsTest {
    private static final int SIZE = 24;
    private static final String ACKNOWLEDGEMENT = "e30300120000";

    private final ByteBuf sent = Unpooled.buffer();
    private final FullPackets packets = new FullPackets(SIZE, part -> {
        sent.writeBytes(part);
        part.release();
    });

    @Test
    void everyPacketButTheLastIsFull() {
        begin(packet(0, ACKNOWLEDGEMENT + "00010203040506070809"));
        packets.pass(packet(0, "101112131415161718191a1b1c1d1e1f"));
        packets.pass(packet(0, "202122232425262728292a2b2c2d2e2f"));
        packets.pass(packet(PacketHeader.STATUS_EOM, "3031323334353637"));
        assertThat(packetsSent())
                .containsExactly(
                        "0: 00010203040506070809101112131415",
                        "0: 161718191a1b1c1d1e1f202122232425",
                        "0: 262728292a2b2c2d2e2f303132333435",
                        "1: 3637");
    }

    @Test
    void aLastPacketThatIsUsedUpEndsTheOneBefore() {
        for (String last : List.of("30", "303132333435")) {
            begin(packet(0, ACKNOWLEDGEMENT + "00010203040506070809"));
            packets.pass(packet(PacketHeader.STATUS_EOM, last));
            assertThat(packetsSent()).containsExactly("1: 00010203040506070809" + last);
        }
    }

    @Test
    void whatTheServerFlushesDoesNotWait() {
        begin(packet(0, ACKNOWLEDGEMENT + "00010203040506070809"));
        assertThat(packetsSent()).isEmpty();
        packets.pass(packet(0, "10111213141516"));
        assertThat(packetsSent()).containsExactly("0: 00010203040506070809101112131415", "0: 16");
        packets.pass(packet(0, "202122232425262728292a2b2c2d2e2f"));
        assertThat(packetsSent()).as("no longer shifted").containsExactly("0: 202122232425262728292a2b2c2d2e2f");

        begin(packet(0, ACKNOWLEDGEMENT + "000102"));
        assertThat(packetsSent()).containsExactly("0: 000102");
    }

    @Test
    void wholeTokensDoNotWaitLongForTheNextPacket() {
        begin(packet(0, ACKNOWLEDGEMENT + "00010203040506070809"));
        packets.check(3);
        assertThat(packetsSent()).as("it has come only now").isEmpty();
        packets.check(3);
        assertThat(packetsSent()).containsExactly("0: 00010203040506");
        packets.check(3);
        packets.check(3);
        assertThat(packetsSent()).isEmpty();
        packets.pass(packet(0, "101112131415161718191a1b1c1d1e1f"));
        assertThat(packetsSent()).containsExactly("0: 070809101112131415161718191a1b1c");
        packets.pass(packet(PacketHeader.STATUS_EOM, "20"));
        assertThat(packetsSent()).containsExactly("1: 1d1e1f20");
    }

    @Test
    void aPacketThatEndsWithATokenNeedNotBeFilled() {
        begin(packet(0, ACKNOWLEDGEMENT + "00010203040506070809"));
        packets.check(0);
        packets.check(0);
        assertThat(packetsSent()).containsExactly("0: 00010203040506070809");
        packets.pass(packet(0, "101112131415161718191a1b1c1d1e1f"));
        assertThat(packetsSent()).containsExactly("0: 101112131415161718191a1b1c1d1e1f");
    }

    @Test
    void aTokenThatIsLargerThanItsPacketWaits() {
        begin(packet(0, ACKNOWLEDGEMENT + "00010203040506070809"));
        for (long unfinished : new long[] {10, 100, Long.MAX_VALUE - PacketHeader.LENGTH, Long.MAX_VALUE}) {
            packets.check(unfinished);
            packets.check(unfinished);
        }
        assertThat(packetsSent()).isEmpty();
        packets.clear();
    }

    @Test
    void aResponseOfOnePacketIsSentAtOnce() {
        begin(packet(PacketHeader.STATUS_EOM, ACKNOWLEDGEMENT + "00010203040506070809"));
        assertThat(packetsSent()).containsExactly("1: 00010203040506070809");
    }

    @Test
    void aPacketOfWhichNothingIsLeftIsNotSent() {
        ByteBuf first = packet(0, ACKNOWLEDGEMENT);
        begin(first);
        assertThat(packetsSent()).isEmpty();
        assertThat(first.refCnt()).isZero();
        packets.pass(packet(PacketHeader.STATUS_EOM, "30"));
        assertThat(packetsSent()).containsExactly("1: 30");
    }

    @Test
    void whatWaitsIsReleasedWhenNobodyWantsIt() {
        ByteBuf first = packet(0, ACKNOWLEDGEMENT + "00010203040506070809");
        begin(first);
        packets.clear();
        assertThat(first.refCnt()).isZero();
        packets.pass(packet(PacketHeader.STATUS_EOM, "30"));
        assertThat(packetsSent()).containsExactly("1: 30");
    }

    private void begin(ByteBuf first) {
        packets.removeAcknowledgement(first, ByteBufUtil.decodeHexDump(ACKNOWLEDGEMENT).length);
        packets.pass(first);
    }

    private static ByteBuf packet(int status, String payload) {
        byte[] bytes = ByteBufUtil.decodeHexDump(payload);
        return Unpooled.buffer()
                .writeByte(PacketType.TABULAR_RESULT)
                .writeByte(status)
                .writeShort(PacketHeader.LENGTH + bytes.length)
                .writeInt(0)
                .writeBytes(bytes);
    }

    /** The status and the payload of each, as their headers divide the bytes. */
    private List<String> packetsSent() {
        List<String> all = new ArrayList<>();
        while (sent.isReadable()) {
            int length = PacketHeader.length(sent);
            int payload = sent.readerIndex() + PacketHeader.LENGTH;
            all.add(PacketHeader.status(sent) + ": "
                    + ByteBufUtil.hexDump(sent, payload, length - PacketHeader.LENGTH));
            sent.skipBytes(length);
        }
        return all;
    }
}
