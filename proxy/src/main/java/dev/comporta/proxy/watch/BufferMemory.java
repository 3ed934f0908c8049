package dev.comporta.proxy.watch;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;

/**
 * What network buffers take of the process' memory.
 *
 * @param direct that the allocator holds outside of the heap, in use or kept for the next buffers
 * @param heap the same on the heap
 * @param mostDirect the most that it may hold outside of the heap
 */
public record BufferMemory(long direct, long heap, long mostDirect) {
    public static BufferMemory now() {
        long mostDirect = PlatformDependent.maxDirectMemory();
        return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider allocator
                ? new BufferMemory(
                        allocator.metric().usedDirectMemory(),
                        allocator.metric().usedHeapMemory(),
                        mostDirect)
                : new BufferMemory(0, 0, mostDirect);
    }
}
