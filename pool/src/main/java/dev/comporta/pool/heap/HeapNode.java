package dev.comporta.pool.heap;

/** An element of a {@link MinHeap}. It knows its place, so that removing it needs no search. */
public abstract class HeapNode {
    static final int NOT_IN_HEAP = -1;

    long heapKey;
    int heapIndex = NOT_IN_HEAP;

    /** The key that it was last put into the heap with. */
    public final long heapKey() {
        return heapKey;
    }
}
