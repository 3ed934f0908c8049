package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A position in a response whose packets come one after the other. It reads small fields, wherever packets cut them, and
 * skips everything else unread. Only a field's first bytes, and tokens that must be read as a whole, are kept from one
 * packet to the next.
 */
final class Cursor {
    /** The longest token that is assembled: one whose length has two bytes. */
    private static final int MAX_GATHERED = 0xFFFF;

    private static final int IN_ASSEMBLY = -1;

    /** Enough for most ENVCHANGE tokens; grows when a longer one is cut. */
    private static final int INITIAL_GATHERED = 256;

    /** The index in the packet. The packet itself is passed as a parameter, so that no reference to it is kept. */
    int at;

    /** The end of the packet's payload. */
    int end;

    /** The value of the last field taken. */
    long field;

    /** The index in the packet of the last gathered bytes, or {@link #IN_ASSEMBLY}. */
    private int gatheredAt;

    /** Bytes of the response in earlier packets, minus the index where this packet's payload starts. */
    private long base;

    /** Bytes still to skip in later packets. While it is not zero, {@link #at} is at the end. */
    private long beyond;

    private long carriedValue;
    private int carriedBytes;

    /** Not pooled: allocated when a token is first cut, then kept for the next one. */
    private ByteBuf assembly = Unpooled.EMPTY_BUFFER;

    /** Bytes of a token in {@link #assembly} while its rest is missing. */
    private int assembled;

    void beginResponse() {
        base = 0;
        beyond = 0;
        carriedBytes = 0;
        carriedValue = 0;
        assembled = 0;
    }

    void beginPacket(int from, int to) {
        base -= from;
        at = from;
        end = to;
        if (beyond > 0) {
            long pending = beyond;
            beyond = 0;
            skip(pending);
        }
    }

    void endPacket() {
        base += end;
        at = 0;
        end = 0;
    }

    /** Whether no field is cut and nothing is left to skip. */
    boolean isBetweenFields() {
        return beyond == 0 && carriedBytes == 0;
    }

    /** Bytes of the response before {@link #at}. */
    public long position() {
        return base + at;
    }

    /** Bytes of the response before that index of the packet. */
    long position(int place) {
        return base + place;
    }

    /** Skips this many bytes, also in later packets. */
    void skip(long bytes) {
        int here = end - at;
        if (bytes <= here) {
            at += (int) bytes;
        } else {
            beyond += bytes - here;
            at = end;
        }
    }

    /** Moves to an index that may lie beyond the packet's end. */
    void moveTo(int place) {
        if (place <= end) {
            at = place;
        } else {
            beyond = (long) place - end;
            at = end;
        }
    }

    /** Whether this many bytes can be read from {@link #at} on. */
    boolean has(int bytes) {
        return end - at >= bytes && carriedBytes == 0;
    }

    /**
     * Takes a little-endian field of up to eight bytes into {@link #field}.
     *
     * @return false if its rest is in the next packet: call again then
     */
    boolean take(ByteBuf packet, int bytes) {
        if (has(bytes)) {
            field = read(packet, bytes);
            at += bytes;
            return true;
        }
        return takeAcrossPackets(packet, bytes);
    }

    private long read(ByteBuf packet, int bytes) {
        return switch (bytes) {
            case 1 -> packet.getUnsignedByte(at);
            case 2 -> packet.getUnsignedShortLE(at);
            case 4 -> packet.getUnsignedIntLE(at);
            case 8 -> packet.getLongLE(at);
            default -> readOdd(packet, bytes);
        };
    }

    private long readOdd(ByteBuf packet, int bytes) {
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << 8 | packet.getUnsignedByte(at + i);
        }
        return value;
    }

    private boolean takeAcrossPackets(ByteBuf packet, int bytes) {
        while (carriedBytes < bytes) {
            if (at == end) {
                return false;
            }
            carriedValue |= (long) packet.getUnsignedByte(at++) << (8 * carriedBytes++);
        }
        field = carriedValue;
        carriedValue = 0;
        carriedBytes = 0;
        return true;
    }

    /**
     * Makes this many bytes contiguous: in {@link #gathered} from {@link #gatheredFrom} on. They stay in the packet if it
     * has all of them, and are copied together otherwise.
     *
     * @return false if their rest is in the next packet: call again then
     */
    boolean gather(ByteBuf packet, int bytes) {
        if (assembled == 0 && end - at >= bytes) {
            gatheredAt = at;
            at += bytes;
            return true;
        }
        return assemble(packet, bytes);
    }

    private boolean assemble(ByteBuf packet, int bytes) {
        if (bytes > MAX_GATHERED) {
            throw new ProtocolException("%d bytes; at most %d can be assembled".formatted(bytes, MAX_GATHERED));
        }
        if (assembly.maxCapacity() == 0) {
            assembly = Unpooled.buffer(INITIAL_GATHERED, MAX_GATHERED);
        }
        int part = Math.min(bytes - assembled, end - at);
        assembly.writerIndex(assembled);
        assembly.writeBytes(packet, at, part);
        at += part;
        assembled += part;
        if (assembled < bytes) {
            return false;
        }
        assembled = 0;
        gatheredAt = IN_ASSEMBLY;
        return true;
    }

    /** The buffer with the bytes that {@link #gather} found: the packet, or the assembly. */
    ByteBuf gathered(ByteBuf packet) {
        return gatheredAt == IN_ASSEMBLY ? assembly : packet;
    }

    int gatheredFrom() {
        return gatheredAt == IN_ASSEMBLY ? 0 : gatheredAt;
    }
}
