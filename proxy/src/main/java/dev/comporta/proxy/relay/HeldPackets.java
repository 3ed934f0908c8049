package dev.comporta.proxy.relay;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;

/**
 * What a client has sent that can't be sent on yet, in the order in which it came: packets are added at the end and taken
 * from the front, and in no other way. Owns the packets.
 */
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

    /** Whether all of the first message is there. */
    boolean hasMessage() {
        for (ByteBuf packet : packets) {
            if (PacketHeader.isEndOfMessage(packet)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the first message is there, and its last packet says that the client has given it up. */
    boolean isGivenUp() {
        for (ByteBuf packet : packets) {
            if (PacketHeader.isEndOfMessage(packet)) {
                return (PacketHeader.status(packet) & PacketHeader.STATUS_IGNORE) != 0;
            }
        }
        return false;
    }

    /** Whether the client cancels the first message, whole or not, with what comes right after it. */
    boolean isCancelled() {
        boolean whole = false;
        for (ByteBuf packet : packets) {
            if (PacketHeader.type(packet) == PacketType.ATTENTION) {
                return true;
            }
            if (whole) {
                return false;
            }
            whole = PacketHeader.isEndOfMessage(packet);
        }
        return false;
    }

    /** Takes the first message away, or what there is of it; and the attention that cancels it, if there is one. */
    void dropMessage() {
        boolean whole = false;
        while (!packets.isEmpty()) {
            boolean attention = PacketHeader.type(first()) == PacketType.ATTENTION;
            if (whole && !attention) {
                return;
            }
            whole = PacketHeader.isEndOfMessage(first());
            remove().release();
            if (attention) {
                return;
            }
        }
    }

    void release() {
        for (ByteBuf packet = packets.poll(); packet != null; packet = packets.poll()) {
            packet.release();
        }
        bytes = 0;
    }
}
