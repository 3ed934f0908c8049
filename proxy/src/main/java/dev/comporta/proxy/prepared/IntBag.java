package dev.comporta.proxy.prepared;

import java.util.Arrays;

/** A few ints without order, each once: handles. */
public final class IntBag {
    private static final int[] NONE = new int[0];

    private int[] values = NONE;
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    public int get(int index) {
        return values[index];
    }

    public void add(int value) {
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

    public void remove(int value) {
        for (int i = 0; i < size; i++) {
            if (values[i] == value) {
                values[i] = values[--size];
                return;
            }
        }
    }

    public void addAll(IntBag other) {
        for (int i = 0; i < other.size; i++) {
            add(other.values[i]);
        }
    }

    public void removeAll(IntBag other) {
        for (int i = 0; i < other.size; i++) {
            remove(other.values[i]);
        }
    }

    public void clear() {
        values = NONE;
        size = 0;
    }
}
