package dev.comporta.tds.token.walk;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A place in a response whose packets come one after the other. It reads small fields, wherever packets cut them, and
 * passes over everything else without looking. Only a field's first bytes, and tokens that are to be read as a whole, are
 * ever kept from one packet to the next.
 */
final class Cursor {
    /** The longest token that is put together: one whose length has two bytes. */
    private static final int MAX_GATHERED = 0xFFFF;

    private static final int IN_ASSEMBLY = -1;

    /** What most ENVCHANGE tokens need; grows when a longer one is cut. */
    private static final int INITIAL_GATHERED = 256;

    /** The place in the packet. The packet itself is handed from method to method, so that nothing is kept of it. */
    int at;

    /** Where the packet's payload ends. */
    int end;

    /** The value of the last field taken. */
    long field;

    /** Where in the packet the last gathered bytes are, or {@link #IN_ASSEMBLY}. */
    private int gatheredAt;

    /** Bytes of the response in the packets before, less where this packet's payload starts. */
    private long base;

    /** Bytes to pass over that are in packets to come. While it is not zero, {@link #at} is at the end. */
    private long beyond;

    private long carriedValue;
    private int carriedBytes;

    /** Not pooled: made when a token is first cut, then kept for the next one. */
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

    /** Whether every byte that was promised has come. */
    boolean isBetweenFields() {
        return beyond == 0 && carriedBytes == 0;
    }

    /** Bytes of the response before this place. */
    public long position() {
        return base + at;
    }

    /** The same of another place in the packet. */
    long position(int place) {
        return base + place;
    }

    /** Passes over so many bytes, those of packets to come included. */
    void skip(long bytes) {
        int here = end - at;
        if (bytes <= here) {
            at += (int) bytes;
        } else {
            beyond += bytes - here;
            at = end;
        }
    }

    /** Goes to a place that may lie beyond the packet's end. */
    void moveTo(int place) {
        if (place <= end) {
            at = place;
        } else {
            beyond = (long) place - end;
            at = end;
        }
    }

    /** Whether so many bytes can be read from {@link #at} on. */
    boolean has(int bytes) {
        return end - at >= bytes && carriedBytes == 0;
    }

    /**
     * Takes a little-endian field of up to eight bytes into {@link #field}.
     *
     * @return false when its rest is in the next packet: ask again then
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
     * Finds so many bytes at one place: in {@link #gathered} from {@link #gatheredFrom} on. They stay in the packet when
     * they are all there, and are put together otherwise.
     *
     * @return false when their rest is in the next packet: ask again then
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
            throw new ProtocolException("%d bytes where at most %d are put together".formatted(bytes, MAX_GATHERED));
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

    /** Where the bytes are that {@link #gather} found: the packet, or what was put together. */
    ByteBuf gathered(ByteBuf packet) {
        return gatheredAt == IN_ASSEMBLY ? assembly : packet;
    }

    int gatheredFrom() {
        return gatheredAt == IN_ASSEMBLY ? 0 : gatheredAt;
    }
}
