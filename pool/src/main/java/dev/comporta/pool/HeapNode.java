package dev.comporta.pool;

/** An element of a {@link MinHeap}. It knows its place, so that removing it needs no search. */
abstract class HeapNode {
    static final int NOT_IN_HEAP = -1;

    long heapKey;
    int heapIndex = NOT_IN_HEAP;
}
