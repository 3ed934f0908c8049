package dev.comporta.tds.packet;

import io.netty.buffer.ByteBuf;

/** Sends the packets of a {@link MessageWriter}. */
@FunctionalInterface
public interface PacketSink {
    /**
     * Takes one or more whole packets, back to back. May block if the writer's thread may, so that a slow reader slows
     * down the writer of a long response.
     *
     * @param endOfMessage whether the last of them ends the message
     */
    void send(ByteBuf packets, boolean endOfMessage);
}
