package dev.comporta.proxy.relay;

import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Iterator;
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
     * bytes.
     */
    private static final int EMPTY_BYTES = 256;

    /**
     * What a packet with a body counts as at least. It takes about 170 bytes beside its own: counted by these alone, a client
     * that sends one byte in each could have more than a megabyte held. Drivers fill packets of 512 bytes and more.
     */
    private static final int SMALL_BYTES = 64;

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
        counted += times * (empty ? EMPTY_BYTES : Math.max(SMALL_BYTES, packet.readableBytes()));
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

    /** Replaces numbers in the first message. To be used up before anything is added or taken. */
    Overwriting overwriting() {
        return new Overwriting(packets.iterator());
    }

    /**
     * Goes through the packets once, whatever the number of places: a message may have thousands of both, and each packet
     * looked at for each place would keep the loop busy for many milliseconds.
     */
    static final class Overwriting {
        private final Iterator<ByteBuf> rest;
        private ByteBuf packet = Unpooled.EMPTY_BUFFER;
        /** Where the packet begins and ends in the message, packet headers not counted. */
        private int start;

        private int end;

        private Overwriting(Iterator<ByteBuf> packets) {
            rest = packets;
        }

        /** @param offset of the number's first byte, packet headers not counted; behind the number before it */
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
