package dev.comporta.proxy.relay;

import java.util.Arrays;

/** A few ints without order: the handles that a client has. */
final class IntBag {
    private static final int[] NONE = new int[0];

    private int[] values = NONE;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void add(int value) {
        for (int i = 0; i < size; i++) {
            if (values[i] == value) {
                return;
            }
        }
        if (size == values.length) {
            values = Arrays.copyOf(values, Math.max(4, 2 * size));
        }
        values[size++] = value;
    }

    void remove(int value) {
        for (int i = 0; i < size; i++) {
            if (values[i] == value) {
                values[i] = values[--size];
                return;
            }
        }
    }

    void addAll(IntBag other) {
        for (int i = 0; i < other.size; i++) {
            add(other.values[i]);
        }
    }

    void removeAll(IntBag other) {
        for (int i = 0; i < other.size; i++) {
            remove(other.values[i]);
        }
    }

    void clear() {
        values = NONE;
        size = 0;
    }
}
