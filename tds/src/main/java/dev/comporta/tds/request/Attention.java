package dev.comporta.tds.request;

import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;

/**
 * The order to give up the request that is running: a packet without a body. It is not answered by itself: a DONE of the
 * request's response acknowledges it, and until then the response may go on.
 */
public final class Attention {
    private Attention() {}

    public static void write(MessageWriter writer) {
        writer.begin(PacketType.ATTENTION).end();
    }
}
