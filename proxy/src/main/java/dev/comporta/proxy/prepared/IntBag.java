package dev.comporta.proxy.prepared;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A set of ints: handles. An array while it is small, which is most of the time; indexed when a client sends thousands, so
 * that searching does not block its loop.
 */
public final class IntBag {
    private static final int[] NONE = new int[0];
    private static final int MOST_WITHOUT_INDEX = 32;

    private int[] values = NONE;
    private int size;
    /** The index of each value, once there are many. */
    private @Nullable Map<Integer, Integer> places;

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
        if (indexOf(value) >= 0) {
            return;
        }
        if (size == values.length) {
            values = Arrays.copyOf(values, Math.max(4, 2 * size));
        }
        values[size] = value;
        if (places != null) {
            places.put(value, size);
        }
        size++;
        if (places == null && size > MOST_WITHOUT_INDEX) {
            places = new HashMap<>();
            for (int i = 0; i < size; i++) {
                places.put(values[i], i);
            }
        }
    }

    private int indexOf(int value) {
        if (places != null) {
            return places.getOrDefault(value, -1);
        }
        for (int i = 0; i < size; i++) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(int value) {
        return indexOf(value) >= 0;
    }

    public void remove(int value) {
        int at = indexOf(value);
        if (at < 0) {
            return;
        }
        size--;
        values[at] = values[size];
        if (places != null) {
            places.put(values[at], at);
            places.remove(value);
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
        places = null;
    }
}
