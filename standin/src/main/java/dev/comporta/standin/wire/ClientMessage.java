package dev.comporta.standin.wire;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;

/**
 * A whole message of a client. The runner releases its body.
 *
 * @param firstStatus the status of its first packet, which may ask for a reset
 * @param ignored whether the client cancelled it before its end
 */
record ClientMessage(int type, int firstStatus, boolean ignored, ByteBuf body) {
    boolean asksForReset() {
        return (firstStatus & (PacketHeader.STATUS_RESETCONNECTION | PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN)) != 0;
    }

    boolean keepsTransaction() {
        return (firstStatus & PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN) != 0;
    }
}
