package dev.comporta.proxy.relay;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a client has sent that can't be sent on yet, in the order in which it came: packets are added at the end and taken
 * from the front, and in no other way; only the first message as a whole may be replaced by another form of it. Owns the
 * packets.
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

    /** How many packets of the first message are there. */
    int packetsOfMessage() {
        int count = 0;
        for (ByteBuf packet : packets) {
            if (PacketHeader.type(packet) == PacketType.ATTENTION) {
                break;
            }
            count++;
            if (PacketHeader.isEndOfMessage(packet)) {
                break;
            }
        }
        return count;
    }

    /** Shows the packets of the first message, as far as they are there. Borrowed. */
    void forEachOfMessage(Consumer<ByteBuf> reader) {
        int left = packetsOfMessage();
        for (ByteBuf packet : packets) {
            if (left-- == 0) {
                return;
            }
            reader.accept(packet);
        }
    }

    /**
     * Replaces a number in the first message.
     *
     * @param offset of its first byte, packet headers not counted
     */
    void overwrite(int offset, int length, long value) {
        int start = 0;
        for (ByteBuf packet : packets) {
            int end = start + packet.readableBytes() - PacketHeader.LENGTH;
            for (int at = Math.max(offset, start); at < Math.min(offset + length, end); at++) {
                packet.setByte(packet.readerIndex() + PacketHeader.LENGTH + at - start, (int)
                        (value >>> (Byte.SIZE * (at - offset))));
            }
            if (end >= offset + length) {
                return;
            }
            start = end;
        }
    }

    /** Puts a message, packet by packet, before all others. Takes the packets. */
    void addFirst(List<ByteBuf> message) {
        for (ByteBuf packet : message.reversed()) {
            packets.addFirst(packet);
            bytes += packet.readableBytes();
        }
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

    /** Takes the first message away, and nothing else. */
    void removeMessage() {
        for (int left = packetsOfMessage(); left > 0; left--) {
            remove().release();
        }
    }

    void release() {
        for (ByteBuf packet = packets.poll(); packet != null; packet = packets.poll()) {
            packet.release();
        }
        bytes = 0;
    }
}
