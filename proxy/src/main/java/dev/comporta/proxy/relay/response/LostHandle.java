package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;

/** A server's response that it does not know a handle. */
public final class LostHandle {
    /** The token and its length. */
    private static final int NUMBER_AT = 1 + Short.BYTES;

    private LostHandle() {}

    /** Whether the packet is a whole response that begins with this error. */
    public static boolean isAll(ByteBuf packet) {
        int payload = packet.readerIndex() + PacketHeader.LENGTH;
        return PacketHeader.isEndOfMessage(packet)
                && packet.writerIndex() >= payload + NUMBER_AT + Integer.BYTES
                && packet.getUnsignedByte(payload) == TokenType.ERROR
                && packet.getIntLE(payload + NUMBER_AT) == HandleRefusal.UNKNOWN;
    }
}
