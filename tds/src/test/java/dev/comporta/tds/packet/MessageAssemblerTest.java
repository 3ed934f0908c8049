package dev.comporta.tds.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.Fixture;
import dev.comporta.tds.Fixture.StreamParser;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageAssemblerTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
    private final MessageAssembler assembler = new MessageAssembler(16);

    @Test
    void messagesAreTheSameHoweverTheStreamIsCut() {
        Fixture stream = Fixture.ofText("""
                01 08 000a 0000 01 00  a1 a2      # first packet of a batch, asks for a reset
                01 00 0009 0000 02 00  a3
                01 01 000b 0000 03 00  a4 a5 a6
                06 01 0008 0000 01 00             # attention
                07 00 0009 0000 01 00  b1         # bulk load that is given up
                07 03 0009 0000 02 00  b2
                """);
        List<String> messages = stream.replayStream(Messages::new);
        assertThat(messages).containsExactly("1 first 8 a1a2a3a4a5a6", "6 first 1 ", "7 first 0 b1b2 ignored");
    }

    @Test
    void bodyOfASinglePacketIsThatPacket() {
        ByteBuf packet = packet("0101000a00000100aabb");
        assertThat(assembler.add(packet)).isTrue();
        ByteBuf body = assembler.take();
        assertThat(body).isSameAs(packet);
        assertThat(ByteBufUtil.hexDump(body)).isEqualTo("aabb");
        body.release();
    }

    @Test
    void packetsOfALongMessageDoNotKeepTheBuffersThatTheyWereReadInto() {
        ByteBuf read = Unpooled.buffer(64 * 1024).writeBytes(ByteBufUtil.decodeHexDump("0100000900000100aa"));
        assertThat(assembler.add(read)).isFalse();
        assertThat(read.refCnt()).isZero();
        ByteBuf second = Unpooled.buffer(64 * 1024).writeBytes(ByteBufUtil.decodeHexDump("0101000900000200bb"));
        assertThat(assembler.add(second)).isTrue();
        assertThat(second.refCnt()).isZero();
        ByteBuf body = assembler.take();
        assertThat(ByteBufUtil.hexDump(body)).isEqualTo("aabb");
        body.release();
    }

    @Test
    void packetOfAnotherTypeWithinAMessageIsRefusedAndAllOfItReleased() {
        ByteBuf first = counted("0100000900000100aa");
        ByteBuf second = packet("0301000900000200aa");
        assertThat(assembler.add(first)).isFalse();
        assertThatThrownBy(() -> assembler.add(second))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("RPC packet within a SQL batch message");
        assertThat(second.refCnt()).isZero();
        assertThat(assembler.isInMessage()).isFalse();
        assertNothingIsKept();
    }

    @Test
    void messageBeyondTheLimitIsRefusedAndReleased() {
        ByteBuf first = counted("0100001700000100" + "00".repeat(15));
        ByteBuf second = packet("0101000a000002000000");
        assembler.add(first);
        assertThatThrownBy(() -> assembler.add(second))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("SQL batch message of more than 16 bytes");
        assertThat(second.refCnt()).isZero();
        assertNothingIsKept();
    }

    /** A packet whose allocator counts: the message that it begins is kept in a buffer of that allocator. */
    private ByteBuf counted(String hex) {
        byte[] bytes = ByteBufUtil.decodeHexDump(hex);
        return allocator.heapBuffer(bytes.length).writeBytes(bytes);
    }

    private void assertNothingIsKept() {
        assertThat(allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory())
                .isZero();
    }

    private static ByteBuf packet(String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }

    private static final class Messages implements StreamParser<List<String>> {
        private final EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
        private final MessageAssembler assembler = new MessageAssembler(100);
        private final List<String> messages = new ArrayList<>();

        @Override
        public void feed(ByteBuf piece) {
            channel.writeInbound(piece);
            for (ByteBuf packet = channel.readInbound(); packet != null; packet = channel.readInbound()) {
                if (assembler.add(packet)) {
                    ByteBuf body = assembler.take();
                    messages.add("%d first %d %s%s"
                            .formatted(
                                    assembler.type(),
                                    assembler.firstStatus(),
                                    ByteBufUtil.hexDump(body),
                                    assembler.isIgnored() ? " ignored" : ""));
                    body.release();
                }
            }
        }

        @Override
        public List<String> result() {
            return messages;
        }

        @Override
        public void close() {
            assembler.discard();
            channel.finishAndReleaseAll();
        }
    }
}
