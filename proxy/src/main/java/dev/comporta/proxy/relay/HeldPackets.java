package dev.comporta.proxy.relay;

import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;

/** What a client has sent that can't be sent on yet. Owns the packets. */
final class HeldPackets {
    /** Beyond this the client is not read any more; most requests are a few hundred bytes. */
    private static final int MOST_BYTES = 64 * 1024;

    private final ArrayDeque<ByteBuf> packets = new ArrayDeque<>(0);
    private int bytes;

    void add(ByteBuf packet) {
        packets.add(packet);
        bytes += packet.readableBytes();
    }

    boolean isEmpty() {
        return packets.isEmpty();
    }

    boolean isFull() {
        return bytes > MOST_BYTES;
    }

    /** Borrowed: it stays. */
    ByteBuf first() {
        return packets.element();
    }

    ByteBuf remove() {
        ByteBuf packet = packets.remove();
        bytes -= packet.readableBytes();
        return packet;
    }

    /** Whether the last packet is the last of its message. */
    boolean endsWithMessage() {
        ByteBuf last = packets.peekLast();
        return last != null && PacketHeader.isEndOfMessage(last);
    }

    void release() {
        for (ByteBuf packet = packets.poll(); packet != null; packet = packets.poll()) {
            packet.release();
        }
        bytes = 0;
    }
}
