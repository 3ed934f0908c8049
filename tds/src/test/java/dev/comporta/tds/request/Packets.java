package dev.comporta.tds.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** Cuts a message's body into packets, as small as a test wants them. */
final class Packets {
    private Packets() {}

    /** @param lastStatus 1 for the end of a message, 3 for one that is given up */
    static List<ByteBuf> of(ByteBuf body, int bodySize, int lastStatus) {
        List<ByteBuf> packets = new ArrayList<>();
        do {
            ByteBuf packet = Unpooled.buffer().writeZero(3).skipBytes(3);
            int part = Math.min(bodySize, body.readableBytes());
            boolean last = part == body.readableBytes();
            packet.writeByte(1).writeByte(last ? lastStatus : 0).writeShort(8 + part);
            packet.writeInt(0).writeBytes(body, part);
            packets.add(packet);
        } while (body.isReadable());
        return packets;
    }
}
