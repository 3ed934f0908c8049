package dev.comporta.tds.packet;

import io.netty.buffer.ByteBuf;

/**
 * The eight bytes before every packet: type, status, length (big-endian, header included), SPID (big-endian), packet
 * id, window. The accessors borrow a packet and count from its reader index, as {@link PacketDecoder} emits it.
 */
public final class PacketHeader {
    public static final int LENGTH = 8;

    /** The packet size of both sides until the login has agreed on another. */
    public static final int DEFAULT_PACKET_SIZE = 4096;

    public static final int MIN_PACKET_SIZE = 512;
    public static final int MAX_PACKET_SIZE = 32767;

    /** The last packet of a message. */
    public static final int STATUS_EOM = 0x01;

    /** With EOM: the sender cancelled this message; it must not be executed. */
    public static final int STATUS_IGNORE = 0x02;

    /** On a request's first packet: reset the session to its state after the login, rolling back. */
    public static final int STATUS_RESETCONNECTION = 0x08;

    /** Like {@link #STATUS_RESETCONNECTION}, but the transaction stays open. Never set together with it. */
    public static final int STATUS_RESETCONNECTIONSKIPTRAN = 0x10;

    static final int STATUS_OFFSET = 1;
    static final int LENGTH_OFFSET = 2;
    static final int SPID_OFFSET = 4;
    static final int PACKET_ID_OFFSET = 6;

    private PacketHeader() {}

    public static int type(ByteBuf packet) {
        return packet.getUnsignedByte(packet.readerIndex());
    }

    public static int status(ByteBuf packet) {
        return packet.getUnsignedByte(packet.readerIndex() + STATUS_OFFSET);
    }

    /** The packet's length in bytes, header included. */
    public static int length(ByteBuf packet) {
        return packet.getUnsignedShort(packet.readerIndex() + LENGTH_OFFSET);
    }

    public static int spid(ByteBuf packet) {
        return packet.getUnsignedShort(packet.readerIndex() + SPID_OFFSET);
    }

    public static int packetId(ByteBuf packet) {
        return packet.getUnsignedByte(packet.readerIndex() + PACKET_ID_OFFSET);
    }

    public static boolean isEndOfMessage(ByteBuf packet) {
        return (status(packet) & STATUS_EOM) != 0;
    }

    /** Whether IGNORE is set without EOM: a server might end the message there. */
    public static boolean isGivenUpWithoutEnd(ByteBuf packet) {
        return (status(packet) & (STATUS_EOM | STATUS_IGNORE)) == STATUS_IGNORE;
    }

    /** Changes the status in place: to add a reset to a forwarded request, or to remove one. */
    public static void setStatus(ByteBuf packet, int status) {
        packet.setByte(packet.readerIndex() + STATUS_OFFSET, status);
    }

    /** @param length in bytes, header included */
    public static void setLength(ByteBuf packet, int length) {
        packet.setShort(packet.readerIndex() + LENGTH_OFFSET, length);
    }

    /** Removes the first bytes of a packet's payload in place: moves its header over them and reduces its length. */
    public static void moveOver(ByteBuf packet, int bytes) {
        int start = packet.readerIndex();
        packet.setLong(start + bytes, packet.getLong(start));
        packet.readerIndex(start + bytes);
        setLength(packet, packet.readableBytes());
    }

    public static void setSpid(ByteBuf packet, int spid) {
        packet.setShort(packet.readerIndex() + SPID_OFFSET, spid);
    }
}
