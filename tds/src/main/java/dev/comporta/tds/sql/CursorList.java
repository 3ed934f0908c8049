package dev.comporta.tds.sql;

/**
 * The global cursors that a text declared and has not surely deallocated, by the hash of their names: two names with one
 * hash could only make a client lose its own cursor. Belongs to one scanner.
 */
final class CursorList {
    private static final int MOST = 16;

    private final int[] names = new int[MOST];
    private int count;

    void clear() {
        count = 0;
    }

    /** Returns false if there are too many to remember. */
    boolean declare(int name) {
        if (count == MOST) {
            return false;
        }
        names[count++] = name;
        return true;
    }

    void deallocate(int name) {
        for (int i = 0; i < count; i++) {
            if (names[i] == name) {
                names[i] = names[--count];
                return;
            }
        }
    }

    boolean isEmpty() {
        return count == 0;
    }
}
