package dev.comporta.proxy.relay;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client has sent that can't be sent on yet, in the order in which it came: packets are added at the end and taken
 * from the front, and in no other way; only the first message as a whole may be replaced by another form of it. Owns the
 * packets.
 */
final class HeldPackets {
    /** Beyond this the client is not read any more; most requests are a few hundred bytes. */
    private static final int MOST_BYTES = 64 * 1024;

    /**
     * What a packet without a body counts as: it is an object all the same, and thousands of them would take ten times their
     * bytes. One with a body, however small, counts by its bytes: requests may be cut as the client likes.
     */
    private static final int EMPTY_BYTES = 256;

    private final ArrayDeque<ByteBuf> packets = new ArrayDeque<>(0);
    private int bytes;
    /** Bytes, with those that small packets count as. */
    private int counted;
    /** The packet that ends the first message: its last, or an attention. Null if it has not come. */
    private @Nullable ByteBuf end;
    /** The packet behind it. */
    private @Nullable ByteBuf next;
    /** Packets up to and with the end, or all that there are. */
    private int ofMessage;

    void add(ByteBuf packet) {
        packets.add(packet);
        count(packet, 1);
        look(packet);
    }

    private void count(ByteBuf packet, int times) {
        bytes += times * packet.readableBytes();
        boolean empty = packet.readableBytes() <= PacketHeader.LENGTH;
        counted += times * (empty ? EMPTY_BYTES : packet.readableBytes());
    }

    /** At the next packet, as long as it may belong to the first message. Each is looked at once: a message may have thousands. */
    private void look(ByteBuf packet) {
        if (end == null) {
            ofMessage++;
            if (PacketHeader.isEndOfMessage(packet) || PacketHeader.type(packet) == PacketType.ATTENTION) {
                end = packet;
            }
        } else if (next == null) {
            next = packet;
        }
    }

    /** Another message is the first now. */
    private void lookAgain() {
        end = null;
        next = null;
        ofMessage = 0;
        for (ByteBuf packet : packets) {
            look(packet);
            if (next != null) {
                return;
            }
        }
    }

    boolean isEmpty() {
        return packets.isEmpty();
    }

    int bytes() {
        return bytes;
    }

    boolean isFull() {
        return counted > MOST_BYTES;
    }

    /** Borrowed: it stays. */
    ByteBuf first() {
        return packets.element();
    }

    ByteBuf remove() {
        ByteBuf packet = packets.remove();
        count(packet, -1);
        ofMessage--;
        if (ofMessage == 0) {
            lookAgain();
        }
        return packet;
    }

    /** Whether all of the first message is there. */
    boolean hasMessage() {
        return end != null && PacketHeader.isEndOfMessage(end);
    }

    /** Whether the first message is there, and its last packet says that the client has given it up. */
    boolean isGivenUp() {
        return end != null
                && PacketHeader.isEndOfMessage(end)
                && (PacketHeader.status(end) & PacketHeader.STATUS_IGNORE) != 0;
    }

    /** Whether the client cancels the first message, whole or not, with what comes right after it. */
    boolean isCancelled() {
        return isAttention(end) || isAttention(next);
    }

    private static boolean isAttention(@Nullable ByteBuf packet) {
        return packet != null && PacketHeader.type(packet) == PacketType.ATTENTION;
    }

    /** How many packets of the first message are there. */
    int packetsOfMessage() {
        return isAttention(end) ? ofMessage - 1 : ofMessage;
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
            count(packet, 1);
        }
        lookAgain();
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
        counted = 0;
        lookAgain();
    }
}
