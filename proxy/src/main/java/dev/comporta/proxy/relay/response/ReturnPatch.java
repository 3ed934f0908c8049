package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Puts other numbers in the place of those that a response returns, in its packets. A number that two packets share can be
 * replaced if the first of them was not sent on yet. Borrows the packets.
 */
final class ReturnPatch {
    private @Nullable ByteBuf packet;
    /** The one before, while it is held back. */
    private @Nullable ByteBuf before;
    /** Where in the response the packet's payload begins. */
    private long start;

    void begin(ByteBuf next) {
        packet = next;
    }

    /**
     * The packet was walked.
     *
     * @param holdBack whether it ends within a number, and is not to be sent on before the next one has come
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

    /** @param position of the number's first byte in the response, packet headers not counted */
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
