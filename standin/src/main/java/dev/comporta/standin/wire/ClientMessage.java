package dev.comporta.standin.wire;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * A whole message of a client. The runner releases its body.
 *
 * @param firstStatus of its first packet, where a reset is asked for
 * @param ignored the client gave it up
 */
record ClientMessage(int type, int firstStatus, boolean ignored, ByteBuf body) {
    boolean asksForReset() {
        return (firstStatus & (PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN)) != 0;
    }

    boolean keepsTransaction() {
        return (firstStatus & PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN) != 0;
    }
}
