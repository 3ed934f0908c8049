package dev.comporta.tds.packet;

import io.netty.buffer.ByteBuf;

/** Where a {@link MessageWriter} puts what is ready to be sent. */
@FunctionalInterface
public interface PacketSink {
    /**
     * Takes one or more whole packets, back to back. May block where the writer's thread may, which is how a long
     * response is held back to the pace of its reader.
     *
     * @param endOfMessage whether the last of them ends the message
     */
    void send(ByteBuf packets, boolean endOfMessage);
}
