package dev.comporta.tds.token.walk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Arrays;

/**
 * Walks packets where the proxy has them: as slices of memory outside of the heap, which rows are read from without
 * checks. What lies beside the packet there would be taken for more rows by a walk that went too far.
 */
final class OutsideHeap {
    private static final byte ROW = (byte) 0xD1;
    private static final int BESIDE = 64;

    private OutsideHeap() {}

    static void walk(TokenWalker walker, ByteBuf packet, int from, int to, boolean endOfMessage) {
        walk(walker, packet, from, to, endOfMessage, ROW);
    }

    /** @param what lies beside the packet, over and over */
    static void walk(TokenWalker walker, ByteBuf packet, int from, int to, boolean endOfMessage, byte what) {
        byte[] beside = new byte[BESIDE];
        Arrays.fill(beside, what);
        ByteBuf memory = PooledByteBufAllocator.DEFAULT.directBuffer(2 * BESIDE + to - from);
        try {
            memory.writeBytes(beside).writeBytes(packet, from, to - from).writeBytes(beside);
            ByteBuf slice = memory.slice(BESIDE, to - from);
            if (!slice.hasMemoryAddress()) {
                throw new IllegalStateException("no address: the walk would read as on the heap");
            }
            walker.walk(slice, 0, to - from, endOfMessage);
        } finally {
            memory.release();
        }
    }
}
