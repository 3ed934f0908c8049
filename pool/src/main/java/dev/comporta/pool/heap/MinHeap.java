package dev.comporta.pool.heap;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A binary heap of nodes that carry their own key and place: the smallest in O(1), any change in O(log n). */
public final class MinHeap<T extends HeapNode> {
    private @Nullable HeapNode[] nodes = new HeapNode[16];
    private int size;

    public int size() {
        return size;
    }

    @SuppressWarnings("unchecked") // only T is ever put in
    public @Nullable T peek() {
        return (T) nodes[0];
    }

    /** Puts the node where its key belongs, whether it is in the heap already or not. */
    public void put(T node, long key) {
        if (node.heapIndex == HeapNode.NOT_IN_HEAP) {
            if (size == nodes.length) {
                nodes = Arrays.copyOf(nodes, 2 * size);
            }
            node.heapKey = key;
            place(node, size++);
            siftUp(node);
        } else if (node.heapKey != key) {
            boolean earlier = key < node.heapKey;
            node.heapKey = key;
            if (earlier) {
                siftUp(node);
            } else {
                siftDown(node);
            }
        }
    }

    public void remove(T node) {
        int hole = node.heapIndex;
        if (hole == HeapNode.NOT_IN_HEAP) {
            return;
        }
        node.heapIndex = HeapNode.NOT_IN_HEAP;
        HeapNode last = at(--size);
        nodes[size] = null;
        if (last.heapIndex != HeapNode.NOT_IN_HEAP) {
            place(last, hole);
            siftUp(last);
            siftDown(last);
        }
    }

    private void siftUp(HeapNode node) {
        while (node.heapIndex > 0) {
            HeapNode parent = at((node.heapIndex - 1) >> 1);
            if (parent.heapKey <= node.heapKey) {
                return;
            }
            swap(node, parent);
        }
    }

    private void siftDown(HeapNode node) {
        while (true) {
            int left = 2 * node.heapIndex + 1;
            if (left >= size) {
                return;
            }
            HeapNode child = at(left);
            if (left + 1 < size && at(left + 1).heapKey < child.heapKey) {
                child = at(left + 1);
            }
            if (node.heapKey <= child.heapKey) {
                return;
            }
            swap(child, node);
        }
    }

    private void swap(HeapNode up, HeapNode down) {
        int lower = up.heapIndex;
        place(up, down.heapIndex);
        place(down, lower);
    }

    private void place(HeapNode node, int index) {
        nodes[index] = node;
        node.heapIndex = index;
    }

    private HeapNode at(int index) {
        HeapNode node = nodes[index];
        if (node == null) {
            throw new IllegalStateException("no node at " + index + " of " + size);
        }
        return node;
    }
}
