package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;

/** Reads the end of a message that is not parsed: every response ends with a DONE, whatever precedes it. */
final class BlindEnd {
    private static final int DONE = 1 + 2 * Short.BYTES + Long.BYTES;
    /** Before TDS 7.2. */
    private static final int SHORT_DONE = 1 + 2 * Short.BYTES + Integer.BYTES;

    private BlindEnd() {}

    /** Whether the message ends with the acknowledgement of an attention; this is its last packet. */
    static boolean acknowledges(ByteBuf last) {
        return endsWith(last, DONE, DoneStatus.ATTN) || endsWith(last, SHORT_DONE, DoneStatus.ATTN);
    }

    /** Whether the packet is a response of one DONE alone, for a request that was cancelled or has failed. */
    static boolean isAll(ByteBuf packet) {
        int payload = packet.readableBytes() - PacketHeader.LENGTH;
        return PacketHeader.isEndOfMessage(packet)
                && (payload == DONE || payload == SHORT_DONE)
                && endsWith(packet, payload, DoneStatus.ATTN | DoneStatus.ERROR);
    }

    private static boolean endsWith(ByteBuf packet, int length, int anyOf) {
        int at = packet.writerIndex() - length;
        return at >= packet.readerIndex() + PacketHeader.LENGTH
                && packet.getUnsignedByte(at) == TokenType.DONE
                && (packet.getUnsignedShortLE(at + 1) & anyOf) != 0;
    }
}
