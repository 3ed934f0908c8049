package dev.comporta.tds.sql;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds a word among known ones, ASCII case ignored, without making a string. Open addressing, at most a quarter full, so
 * a word that is not in it (most are not) is usually rejected by one comparison of hashes.
 */
final class WordTable<T> {
    private final @Nullable T[] values;
    private final char[][] words;
    private final int[] hashes;
    private final int mask;
    private int longest;

    @SuppressWarnings("unchecked") // only T is ever put in
    WordTable(int expected) {
        int capacity = Integer.highestOneBit(Math.max(expected, 1)) * 8;
        values = (T[]) new Object[capacity];
        words = new char[capacity][];
        hashes = new int[capacity];
        mask = capacity - 1;
    }

    WordTable<T> put(String word, T value) {
        char[] chars = word.toUpperCase(Locale.ROOT).toCharArray();
        int hash = 0;
        for (char c : chars) {
            hash = hash(hash, c);
        }
        int slot = spread(hash) & mask;
        while (values[slot] != null) {
            slot = (slot + 1) & mask;
        }
        values[slot] = value;
        words[slot] = chars;
        hashes[slot] = hash;
        longest = Math.max(longest, chars.length);
        return this;
    }

    /** The value of the first {@code length} characters of the token, whose hash must be its own. */
    @Nullable
    T find(TokenText token) {
        int length = token.length();
        if (length == 0 || length > longest) {
            return null;
        }
        int hash = token.hash();
        for (int slot = spread(hash) & mask; values[slot] != null; slot = (slot + 1) & mask) {
            if (hashes[slot] == hash && token.sameAs(words[slot])) {
                return values[slot];
            }
        }
        return null;
    }

    /** One step of the hash; {@code upper} must be in upper case when it is an ASCII letter. */
    static int hash(int hash, int upper) {
        return hash * 31 + upper;
    }

    private static int spread(int hash) {
        int h = hash * 0x9E3779B9;
        return h ^ (h >>> 15);
    }
}
