package dev.comporta.tds.sql.word;

/**
 * Hashes of the names of objects that a text made and has not surely dropped. If a text uses two names with the same hash,
 * its client may lose one of its own tables; no other client is affected. Belongs to one scanner.
 */
public final class NameList {
    private static final int MOST = 16;

    private final int[] names = new int[MOST];
    private int count;
    private boolean isFull;

    public void clear() {
        count = 0;
        isFull = false;
    }

    public void add(int name) {
        if (count == MOST) {
            isFull = true;
        } else {
            names[count++] = name;
        }
    }

    /** Removes the name once; returns whether it was there. */
    public boolean remove(int name) {
        for (int i = 0; i < count; i++) {
            if (names[i] == name) {
                names[i] = names[--count];
                return true;
            }
        }
        return false;
    }

    /** Whether the name was added, or may have been. */
    public boolean mayContain(int name) {
        for (int i = 0; i < count; i++) {
            if (names[i] == name) {
                return true;
            }
        }
        return isFull;
    }

    /** Whether every name was removed; false if there were more than could be kept. */
    public boolean isEmpty() {
        return count == 0 && !isFull;
    }
}
