package dev.comporta.tds.sql;

/**
 * The names of what a text made and has not surely removed, by their hashes: two names with one hash could only make a
 * client lose what is its own. Belongs to one scanner.
 */
final class NameList {
    private static final int MOST = 16;

    private final int[] names = new int[MOST];
    private int count;
    private boolean isFull;

    void clear() {
        count = 0;
        isFull = false;
    }

    void add(int name) {
        if (count == MOST) {
            isFull = true;
        } else {
            names[count++] = name;
        }
    }

    void remove(int name) {
        for (int i = 0; i < count; i++) {
            if (names[i] == name) {
                names[i] = names[--count];
                return;
            }
        }
    }

    /** Whether all that was made is removed; false if there was more than could be remembered. */
    boolean isEmpty() {
        return count == 0 && !isFull;
    }
}
