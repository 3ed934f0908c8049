package dev.comporta.pool.heap;

/** An element of a {@link MinHeap}. It knows its place, so that removing it needs no search. */
public abstract class HeapNode {
    public static final int NOT_IN_HEAP = -1;

    public long heapKey;
    public int heapIndex = NOT_IN_HEAP;
}
