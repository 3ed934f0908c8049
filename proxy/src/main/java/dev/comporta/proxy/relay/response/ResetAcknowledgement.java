package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/** The token by which a server says that it has reset the session: not for a client that did not ask for it. */
public final class ResetAcknowledgement {
    private static final int LENGTH = 6;
    /** ENVCHANGE, three bytes long, type 18; then two empty values. */
    private static final int HEAD = 0xE3030012;

    private ResetAcknowledgement() {}

    /** Whether the response, of which this is the first packet, begins with it, as MS-TDS wants. */
    static boolean isFirstIn(ByteBuf packet) {
        int payload = packet.readerIndex() + PacketHeader.LENGTH;
        return packet.readableBytes() >= PacketHeader.LENGTH + LENGTH
                && packet.getInt(payload) == HEAD
                && packet.getShort(payload + Integer.BYTES) == 0;
    }

    /** In place: the packet's header moves over the token, which is the first of the response. */
    public static void removeFrom(ByteBuf packet) {
        int start = packet.readerIndex();
        long header = packet.getLong(start);
        long length = ((header >>> 32) & 0xFFFF) - LENGTH;
        packet.setLong(start + LENGTH, (header & 0xFFFF_0000_FFFF_FFFFL) | (length << 32));
        packet.readerIndex(start + LENGTH);
    }
}
