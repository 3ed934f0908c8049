package dev.comporta.proxy.watch;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;

/**
 * Memory of the process that network buffers take.
 *
 * @param direct bytes that the allocator holds off the heap, in use or kept for later buffers
 * @param heap the same on the heap
 * @param mostDirect the limit of bytes off the heap
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
