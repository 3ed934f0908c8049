package dev.comporta.tds.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketDecoderTest {
    private static final String FIRST = "0100000a00000100aabb";
    private static final String SECOND = "0101000800000200";
    private static final String THIRD = "0601000b00000100010203";

    @Test
    void packetsAreFoundWhereverTheStreamIsCut() {
        byte[] stream = ByteBufUtil.decodeHexDump(FIRST + SECOND + THIRD);
        for (int cut = 0; cut <= stream.length; cut++) {
            for (int second = cut; second <= stream.length; second++) {
                EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
                channel.writeInbound(Unpooled.copiedBuffer(stream, 0, cut));
                channel.writeInbound(Unpooled.copiedBuffer(stream, cut, second - cut));
                channel.writeInbound(Unpooled.copiedBuffer(stream, second, stream.length - second));
                assertThat(drain(channel)).containsExactly(FIRST, SECOND, THIRD);
                channel.finishAndReleaseAll();
            }
        }
    }

    @Test
    void everyPacketOfAStreamOfSingleBytesIsFound() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
        for (byte one : ByteBufUtil.decodeHexDump(FIRST + SECOND + THIRD)) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {one}));
        }
        assertThat(drain(channel)).containsExactly(FIRST, SECOND, THIRD);
        channel.finishAndReleaseAll();
    }

    @Test
    void anAnnouncedPacketCostsWhatHasComeOfIt() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(32767));
        Buffers allocator = new Buffers();
        channel.config().setAllocator(allocator);
        channel.writeInbound(buffer("1000" + "7fff" + "00000100" + "00"));
        assertThat(allocator.made.getLast().capacity()).isLessThanOrEqualTo(512);
        for (int sent = 9; sent < 32767; sent += 1000) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[Math.min(1000, 32767 - sent)]));
            assertThat(allocator.made.getLast().capacity()).isLessThanOrEqualTo(Math.max(512, 4 * (sent + 1000)));
        }
        ByteBuf packet = channel.readInbound();
        assertThat(packet.readableBytes()).isEqualTo(32767);
        packet.release();
        channel.finishAndReleaseAll();
    }

    private static final class Buffers extends AbstractByteBufAllocator {
        private final List<ByteBuf> made = new ArrayList<>();

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            made.add(new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity));
            return made.getLast();
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return newHeapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @Test
    void wholePacketsAreNotCopied() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
        ByteBuf alone = buffer(FIRST);
        channel.writeInbound(alone);
        assertThat(channel.<ByteBuf>readInbound()).isSameAs(alone);
        alone.release();

        ByteBuf together = buffer(FIRST + SECOND);
        channel.writeInbound(together);
        ByteBuf first = channel.readInbound();
        ByteBuf second = channel.readInbound();
        together.setByte(8, 0x77);
        assertThat(first.getByte(first.readerIndex() + 8)).isEqualTo((byte) 0x77);
        first.release();
        assertThat(together.refCnt()).isEqualTo(1);
        second.release();
        assertThat(together.refCnt()).isZero();
        channel.finishAndReleaseAll();
    }

    @Test
    void badHeaderIsReportedOnceAndNothingAfterItIsEmitted() {
        for (String bad : List.of("47455420", "0100000700000100", "01000201", "0100000000000000", "16030100")) {
            EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
            ByteBuf in = buffer(FIRST + bad + "00000000000000000000");
            assertThatThrownBy(() -> channel.writeInbound(in)).isInstanceOf(ProtocolException.class);
            ByteBuf after = buffer(FIRST);
            channel.writeInbound(after);
            assertThat(after.refCnt()).isZero();
            assertThat(drain(channel)).containsExactly(FIRST);
            assertThat(in.refCnt()).isZero();
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void badHeaderIsFoundInAPacketCutWithinIt() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
        channel.writeInbound(buffer("0100ff"));
        assertThatThrownBy(() -> channel.writeInbound(buffer("ff00000100"))).hasMessageContaining("65535 bytes");
        channel.finishAndReleaseAll();
    }

    @Test
    void limitCanBeChangedAfterTheLogin() {
        PacketDecoder decoder = new PacketDecoder(512);
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        decoder.maxLength(513);
        ByteBuf packet = Unpooled.buffer(513).writeInt(0x01010201).writeZero(509);
        channel.writeInbound(packet);
        assertThat(channel.<ByteBuf>readInbound()).isSameAs(packet);
        packet.release();
        channel.finishAndReleaseAll();
    }

    @Test
    void bytesNotEmittedGoOnWhenTheDecoderIsRemovedBetweenReads() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
        channel.writeInbound(buffer(FIRST + "010000"));
        channel.pipeline().remove(PacketDecoder.class);
        channel.writeInbound(buffer("cafe"));
        assertThat(drain(channel)).containsExactly(FIRST, "010000", "cafe");
        channel.finishAndReleaseAll();
    }

    @Test
    void bytesAfterThePacketThatRemovesTheDecoderGoOnUncut() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512), removesDecoderOnFirstPacket());
        channel.writeInbound(buffer(FIRST + SECOND + THIRD));
        assertThat(drain(channel)).containsExactly(FIRST, SECOND + THIRD);
        channel.finishAndReleaseAll();

        EmbeddedChannel cut = new EmbeddedChannel(new PacketDecoder(512), removesDecoderOnFirstPacket());
        cut.writeInbound(buffer(FIRST.substring(0, 12)));
        cut.writeInbound(buffer(FIRST.substring(12) + SECOND));
        assertThat(drain(cut)).containsExactly(FIRST, SECOND);
        cut.finishAndReleaseAll();
    }

    @Test
    void bytesThatArriveWhileAReadIsCutStayInOrder() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512), new ChannelInboundHandlerAdapter() {
            private boolean fed;

            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (!fed) {
                    fed = true;
                    ctx.pipeline().fireChannelRead(buffer(SECOND.substring(6) + THIRD));
                }
                ctx.fireChannelRead(message);
            }
        });
        channel.writeInbound(buffer(FIRST + SECOND.substring(0, 6)));
        assertThat(drain(channel)).containsExactly(FIRST, SECOND, THIRD);
        channel.finishAndReleaseAll();
    }

    @Test
    void halfAPacketIsReleasedWhenTheChannelCloses() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder(512));
        Buffers allocator = new Buffers();
        channel.config().setAllocator(allocator);
        ByteBuf half = buffer(FIRST.substring(0, 18));
        channel.writeInbound(half);
        assertThat(half.refCnt()).isZero();
        assertThat(allocator.made)
                .singleElement()
                .satisfies(kept -> assertThat(kept.refCnt()).isEqualTo(1));
        assertThat(channel.finish()).isFalse();
        assertThat(allocator.made)
                .singleElement()
                .satisfies(kept -> assertThat(kept.refCnt()).isZero());
    }

    @Test
    void moreIsReadWhenAReadBroughtOnlyHalfAPacketAndAutoReadIsOff() {
        int[] reads = {0};
        EmbeddedChannel channel = new EmbeddedChannel(
                new io.netty.channel.ChannelOutboundHandlerAdapter() {
                    @Override
                    public void read(ChannelHandlerContext ctx) {
                        reads[0]++;
                    }
                },
                new PacketDecoder(512));
        channel.config().setAutoRead(false);
        reads[0] = 0;
        channel.writeInbound(buffer(FIRST.substring(0, 18)));
        assertThat(reads[0]).isEqualTo(1);
        channel.writeInbound(buffer(FIRST.substring(18)));
        assertThat(reads[0]).isEqualTo(1);
        channel.finishAndReleaseAll();
    }

    private static ChannelInboundHandlerAdapter removesDecoderOnFirstPacket() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                ctx.fireChannelRead(message);
                if (ctx.pipeline().get(PacketDecoder.class) != null) {
                    ctx.pipeline().remove(PacketDecoder.class);
                }
            }
        };
    }

    private static ByteBuf buffer(String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }

    private static List<String> drain(EmbeddedChannel channel) {
        List<String> packets = new ArrayList<>();
        for (ByteBuf packet = channel.readInbound(); packet != null; packet = channel.readInbound()) {
            packets.add(ByteBufUtil.hexDump(packet));
            packet.release();
        }
        return packets;
    }
}
