package dev.comporta.tds.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class PacketDecoderFuzzTest {
    private static final int MAX_LENGTH = 600;

    static Stream<byte[]> streams() {
        return Stream.of("03" + "0100000a00000100aabb" + "0101000800000200", "01" + "1201", "ff" + "0401ffff00000100")
                .map(ByteBufUtil::decodeHexDump);
    }

    /** The first byte says in which pieces the others come. */
    @MethodSource("streams")
    @FuzzTest
    void anyStreamIsPacketsThenAProtocolErrorAtMost(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] stream = Arrays.copyOfRange(input, 1, input.length);
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(MAX_LENGTH));
        try {
            feed(channel, stream, 1 + (input[0] & 0xFF));
            ByteBuf packets = Unpooled.buffer();
            for (ByteBuf packet = channel.readInbound(); packet != null; packet = channel.readInbound()) {
                assertThat(PacketHeader.length(packet)).isEqualTo(packet.readableBytes());
                assertThat(packet.readableBytes()).isBetween(PacketHeader.LENGTH, MAX_LENGTH);
                packets.writeBytes(packet);
                packet.release();
            }
            assertThat(ByteBufUtil.getBytes(packets)).isEqualTo(Arrays.copyOf(stream, packets.readableBytes()));
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static void feed(EmbeddedChannel channel, byte[] stream, int step) {
        for (int from = 0; from < stream.length; from += step) {
            ByteBuf piece = Unpooled.copiedBuffer(stream, from, Math.min(step, stream.length - from));
            try {
                channel.writeInbound(piece);
            } catch (ProtocolException expected) {
                ByteBuf after = Unpooled.wrappedBuffer(new byte[] {1});
                channel.writeInbound(after);
                assertThat(after.refCnt()).isZero();
                return;
            }
        }
    }
}
