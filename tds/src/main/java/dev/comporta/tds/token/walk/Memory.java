package dev.comporta.tds.token.walk;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads bytes of a packet without the checks and layers of {@link ByteBuf}: a packet is a slice of the read buffer, which is
 * a part of an allocated block, and each of the three checks every access. The rows of a large result take two such reads
 * each.
 *
 * <p>The caller has made sure that the index lies in the packet, and that the packet is not released meanwhile: nothing
 * here would detect either.
 */
final class Memory {
    /** The address of a packet that is not outside of the heap. */
    static final long NONE = 0;

    private static final MemorySegment ALL = all();
    private static final ValueLayout.OfShort SHORT_LE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Memory() {}

    @SuppressWarnings("restricted") // the launcher allows it, as Netty needs it too
    private static MemorySegment all() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    static long addressOf(ByteBuf packet) {
        return packet.hasMemoryAddress() ? packet.memoryAddress() : NONE;
    }

    /** @param address of the packet, from {@link #addressOf} */
    static int unsignedByte(ByteBuf packet, long address, int at) {
        return address == NONE ? packet.getUnsignedByte(at) : unsignedByte(address, at);
    }

    /** @param address of a packet outside of the heap */
    static int unsignedByte(long address, int at) {
        return ALL.get(ValueLayout.JAVA_BYTE, address + at) & 0xFF;
    }

    static int unsignedShort(ByteBuf packet, long address, int at) {
        return address == NONE ? packet.getUnsignedShortLE(at) : unsignedShort(address, at);
    }

    /** @param address of a packet outside of the heap */
    static int unsignedShort(long address, int at) {
        return ALL.get(SHORT_LE, address + at) & 0xFFFF;
    }
}
