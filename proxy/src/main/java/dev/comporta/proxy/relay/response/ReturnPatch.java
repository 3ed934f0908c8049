package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Replaces numbers that a response returns, in its packets. A number that is split between two packets can be replaced if the
 * first of them was not sent yet. Borrows the packets.
 */
final class ReturnPatch {
    private @Nullable ByteBuf packet;
    /** The previous packet, while it is held back. */
    private @Nullable ByteBuf before;
    /** The offset in the response at which the packet's payload begins. */
    private long start;

    void begin(ByteBuf next) {
        packet = next;
    }

    /**
     * The packet was walked.
     *
     * @param holdBack whether it ends within a number, and must not be sent before the next one arrives
     */
    void end(ByteBuf walked, boolean holdBack) {
        boolean last = PacketHeader.isEndOfMessage(walked);
        start = last ? 0 : start + walked.readableBytes() - PacketHeader.LENGTH;
        before = holdBack ? walked : null;
        packet = null;
    }

    void reset() {
        packet = null;
        before = null;
        start = 0;
    }

    /** @param position offset of the number's first byte in the response without packet headers */
    void write(long position, int bytes, long value) {
        for (int i = 0; i < bytes; i++) {
            writeByte(position + i, (int) (value >>> (Byte.SIZE * i)));
        }
    }

    private void writeByte(long position, int value) {
        ByteBuf at = position < start ? before : packet;
        if (at == null) {
            throw new IllegalStateException("the packet of a returned number was sent already");
        }
        long index = position < start
                ? at.writerIndex() - (start - position)
                : at.readerIndex() + PacketHeader.LENGTH + (position - start);
        at.setByte((int) index, value);
    }
}
