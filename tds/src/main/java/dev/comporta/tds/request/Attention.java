package dev.comporta.tds.request;

import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;

/**
 * Cancels the running request: a packet without a body. It has no response of its own: a DONE in the request's response
 * acknowledges it, and until then that response may go on.
 */
public final class Attention {
    private Attention() {}

    public static void write(MessageWriter writer) {
        writer.begin(PacketType.ATTENTION).end();
    }
}
