package dev.comporta.ops.route;

import java.util.Arrays;

/**
 * A map from hundreds of thousands of names to small numbers: an open-addressing hash table whose names lie one after another
 * in a single array, so that a name costs its letters and 16 bytes instead of three objects. Names are found without regard
 * to case, without allocating. Immutable.
 */
final class NameTable {
    static final int NONE = -1;

    private final byte[] letters;
    private final int[] starts;
    private final int[] values;
    private final int[] slots;

    private NameTable(byte[] letters, int[] starts, int[] values, int[] slots) {
        this.letters = letters;
        this.starts = starts;
        this.values = values;
        this.slots = slots;
    }

    int size() {
        return values.length;
    }

    /** The number of a name, or {@link #NONE}. */
    int find(CharSequence name, int from, int to) {
        int mask = slots.length - 1;
        for (int slot = Letters.hash(name, from, to) & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
            int entry = slots[slot] - 1;
            if (isAt(letters, starts[entry], starts[entry + 1], name, from, to)) {
                return values[entry];
            }
        }
        return NONE;
    }

    /** The number of bytes that the arrays occupy on the heap, without their headers. */
    long footprint() {
        return letters.length + 4L * (starts.length + values.length + slots.length);
    }

    // Letters are stored folded, in one to three bytes each as in UTF-8: most names are ASCII.
    private static boolean isAt(byte[] letters, int start, int end, CharSequence name, int from, int to) {
        int at = start;
        for (int i = from; i < to; i++) {
            char c = Letters.fold(name.charAt(i));
            int width = width(c);
            if (at + width > end || !isLetterAt(letters, at, c, width)) {
                return false;
            }
            at += width;
        }
        return at == end;
    }

    private static boolean isLetterAt(byte[] letters, int at, char c, int width) {
        return switch (width) {
            case 1 -> letters[at] == (byte) c;
            case 2 -> letters[at] == (byte) (0xC0 | (c >> 6)) && letters[at + 1] == (byte) (0x80 | (c & 0x3F));
            default ->
                letters[at] == (byte) (0xE0 | (c >> 12))
                        && letters[at + 1] == (byte) (0x80 | ((c >> 6) & 0x3F))
                        && letters[at + 2] == (byte) (0x80 | (c & 0x3F));
        };
    }

    private static int width(char c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }

    /** Collects names. Not thread-safe. */
    static final class Builder {
        private byte[] letters = new byte[1 << 10];
        private int[] starts = new int[(1 << 6) + 1];
        private int[] values = new int[1 << 6];
        private int[] hashes = new int[1 << 6];
        private int[] slots = new int[1 << 7];
        private int size;

        /** Adds a name and returns {@link #NONE}. If it is there already, its number stays, and is returned. */
        int putIfAbsent(CharSequence name, int value) {
            int hash = Letters.hash(name, 0, name.length());
            int mask = slots.length - 1;
            int slot = hash & mask;
            while (slots[slot] != 0) {
                int entry = slots[slot] - 1;
                if (hashes[entry] == hash && isAt(letters, starts[entry], starts[entry + 1], name, 0, name.length())) {
                    return values[entry];
                }
                slot = (slot + 1) & mask;
            }
            slots[slot] = append(name, value, hash) + 1;
            // Two thirds full: a lookup then probes two or three slots, and the table stays small.
            if (size * 3 > slots.length * 2) {
                growSlots();
            }
            return NONE;
        }

        private int append(CharSequence name, int value, int hash) {
            if (size == values.length) {
                int larger = size * 2;
                values = Arrays.copyOf(values, larger);
                hashes = Arrays.copyOf(hashes, larger);
                starts = Arrays.copyOf(starts, larger + 1);
            }
            int at = starts[size];
            if (letters.length - at < 3L * name.length()) {
                letters = Arrays.copyOf(letters, Math.max(letters.length * 2, at + 3 * name.length()));
            }
            for (int i = 0; i < name.length(); i++) {
                at = write(Letters.fold(name.charAt(i)), at);
            }
            values[size] = value;
            hashes[size] = hash;
            starts[size + 1] = at;
            return size++;
        }

        private int write(char c, int at) {
            switch (width(c)) {
                case 1 -> letters[at] = (byte) c;
                case 2 -> {
                    letters[at] = (byte) (0xC0 | (c >> 6));
                    letters[at + 1] = (byte) (0x80 | (c & 0x3F));
                }
                default -> {
                    letters[at] = (byte) (0xE0 | (c >> 12));
                    letters[at + 1] = (byte) (0x80 | ((c >> 6) & 0x3F));
                    letters[at + 2] = (byte) (0x80 | (c & 0x3F));
                }
            }
            return at + width(c);
        }

        private void growSlots() {
            int[] larger = new int[slots.length * 2];
            int mask = larger.length - 1;
            for (int entry = 0; entry < size; entry++) {
                int slot = hashes[entry] & mask;
                while (larger[slot] != 0) {
                    slot = (slot + 1) & mask;
                }
                larger[slot] = entry + 1;
            }
            slots = larger;
        }

        NameTable build() {
            return new NameTable(
                    Arrays.copyOf(letters, starts[size]),
                    Arrays.copyOf(starts, size + 1),
                    Arrays.copyOf(values, size),
                    slots.clone());
        }
    }
}
