package dev.comporta.proxy.relay.response;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenType;
import io.netty.buffer.ByteBuf;

/**
 * The token by which a server acknowledges a reset; a client that did not ask for one must not get it. Babelfish (from 2.11,
 * 3.8 and 4.4 on) restores the database by its own USE, and reports the end of that before.
 */
public final class ResetAcknowledgement {
    private static final int LENGTH = 6;
    /** ENVCHANGE, three bytes long, type 18; then two empty values. */
    private static final int HEAD = 0xE3030012;

    private static final int DONE_COUNT_AT = 1 + 2 * Short.BYTES;

    private ResetAcknowledgement() {}

    /**
     * The number of bytes it takes at the beginning of a response, with the end of a USE before it; 0 if the response does
     * not begin with it. Borrows the first packet.
     *
     * @param longRowCounts whether DONE has a count of eight bytes in this TDS version
     */
    static int lengthIn(ByteBuf packet, boolean longRowCounts) {
        int payload = packet.readerIndex() + PacketHeader.LENGTH;
        int done = DONE_COUNT_AT + (longRowCounts ? Long.BYTES : Integer.BYTES);
        if (isAt(packet, payload)) {
            return LENGTH;
        }
        return isAt(packet, payload + done) && isPlainDone(packet, payload, longRowCounts) ? done + LENGTH : 0;
    }

    private static boolean isAt(ByteBuf packet, int index) {
        return packet.writerIndex() >= index + LENGTH
                && packet.getInt(index) == HEAD
                && packet.getShort(index + Integer.BYTES) == 0;
    }

    /** Whether this is the DONE of a statement without an error or a row count, with more to come. */
    private static boolean isPlainDone(ByteBuf packet, int index, boolean longRowCounts) {
        int countAt = index + DONE_COUNT_AT;
        return packet.getUnsignedByte(index) == TokenType.DONE
                && packet.getUnsignedShortLE(index + 1) == DoneStatus.MORE
                && (longRowCounts ? packet.getLong(countAt) : packet.getInt(countAt)) == 0;
    }
}
