package dev.comporta.proxy.relay;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Packets from a client that can't be sent to the server yet, in order: they are added at the end and removed from the front,
 * and in no other way; only the first message as a whole may be replaced by another form of it. Owns the packets.
 */
final class HeldPackets {
    /** Beyond this the client is not read; most requests are a few hundred bytes. */
    private static final int MOST_BYTES = 64 * 1024;

    /** What a packet without a body counts as: an object all the same, and thousands of them take ten times their bytes. */
    private static final int EMPTY_BYTES = 256;

    /**
     * The least that a packet with a body counts as. It takes about 170 bytes beside its own: by its bytes alone, a client
     * that sends one byte in each could have more than a megabyte held. Drivers fill packets of 512 bytes and more.
     */
    private static final int SMALL_BYTES = 64;

    private final ArrayDeque<ByteBuf> packets = new ArrayDeque<>(0);
    private int bytes;
    /** Bytes with these minimum sizes. */
    private int counted;
    /** The packet that ends the first message: its last, or an attention. Null if it has not arrived. */
    private @Nullable ByteBuf end;
    /** The packet after it. */
    private @Nullable ByteBuf next;
    /** Number of packets up to and including the end, or of all packets. */
    private int ofMessage;

    void add(ByteBuf packet) {
        packets.add(packet);
        count(packet, 1);
        look(packet);
    }

    private void count(ByteBuf packet, int times) {
        bytes += times * packet.readableBytes();
        boolean empty = packet.readableBytes() <= PacketHeader.LENGTH;
        counted += times * (empty ? EMPTY_BYTES : Math.max(SMALL_BYTES, packet.readableBytes()));
    }

    /** Examines the next packet, if it may belong to the first message. Each is examined once: a message may have thousands. */
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

    /** The first message was removed: examines the next. */
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

    /** Borrowed: it is not removed. */
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

    /** Whether the first message is complete. */
    boolean hasMessage() {
        return end != null && PacketHeader.isEndOfMessage(end);
    }

    /** Whether the first message is complete, and its last packet says that the client has withdrawn it. */
    boolean isGivenUp() {
        return end != null
                && PacketHeader.isEndOfMessage(end)
                && (PacketHeader.status(end) & PacketHeader.STATUS_IGNORE) != 0;
    }

    /** Whether an attention follows directly that cancels the first message, complete or not. */
    boolean isCancelled() {
        return isAttention(end) || isAttention(next);
    }

    private static boolean isAttention(@Nullable ByteBuf packet) {
        return packet != null && PacketHeader.type(packet) == PacketType.ATTENTION;
    }

    /** The number of packets of the first message that have arrived. */
    int packetsOfMessage() {
        return isAttention(end) ? ofMessage - 1 : ofMessage;
    }

    /** Passes the packets of the first message that have arrived to a reader. Borrowed. */
    void forEachOfMessage(Consumer<ByteBuf> reader) {
        int left = packetsOfMessage();
        for (ByteBuf packet : packets) {
            if (left-- == 0) {
                return;
            }
            reader.accept(packet);
        }
    }

    /** The first message without its packet headers. The caller releases it. */
    ByteBuf payload(ByteBufAllocator allocator) {
        ByteBuf message = allocator.buffer();
        forEachOfMessage(packet -> message.writeBytes(
                packet, packet.readerIndex() + PacketHeader.LENGTH, packet.readableBytes() - PacketHeader.LENGTH));
        return message;
    }

    /** Replaces numbers in the first message. Valid until a packet is added or removed. */
    Overwriting overwriting() {
        return new Overwriting(packets.iterator());
    }

    /**
     * Goes through the packets once, however many places there are: a message may have thousands of both, and searching all
     * packets for each place would block the loop for many milliseconds.
     */
    static final class Overwriting {
        private final Iterator<ByteBuf> rest;
        private ByteBuf packet = Unpooled.EMPTY_BUFFER;
        /** The packet's offsets in the message without packet headers. */
        private int start;

        private int end;

        private Overwriting(Iterator<ByteBuf> packets) {
            rest = packets;
        }

        /** @param offset offset of the number's first byte without packet headers; after the previous number */
        void put(int offset, int length, long value) {
            for (int i = 0; i < length; i++) {
                while (offset + i >= end) {
                    if (!rest.hasNext()) {
                        return;
                    }
                    packet = rest.next();
                    start = end;
                    end += packet.readableBytes() - PacketHeader.LENGTH;
                }
                int at = packet.readerIndex() + PacketHeader.LENGTH + offset + i - start;
                packet.setByte(at, (int) (value >>> (Byte.SIZE * i)));
            }
        }
    }

    /** Inserts a message before all others. Takes the packets. */
    void addFirst(List<ByteBuf> message) {
        for (ByteBuf packet : message.reversed()) {
            packets.addFirst(packet);
            count(packet, 1);
        }
        lookAgain();
    }

    /** Removes the first message, or the part of it that has arrived; and the attention that cancels it, if any. */
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

    /** Removes the first message, and nothing else. */
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
