package dev.comporta.tds.sql.word;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds a word among known ones, ignoring ASCII case, without making a string. Most words looked up are not in it, and most
 * of those are rejected by their first letter and length alone; the rest uses open addressing, at most a quarter full.
 */
public final class WordTable<T> {
    private final @Nullable T[] values;
    private final char[][] words;
    private final int[] hashes;
    private final int mask;
    /** The lengths of the words, one bit each, by the first character's five low bits, which have no case. */
    private final long[] lengths = new long[32];

    @SuppressWarnings("unchecked") // only T is ever put in
    public WordTable(int expected) {
        int capacity = Integer.highestOneBit(Math.max(expected, 1)) * 8;
        values = (T[]) new Object[capacity];
        words = new char[capacity][];
        hashes = new int[capacity];
        mask = capacity - 1;
    }

    /** A table used as a set; the words are separated by white space. */
    public static WordTable<Boolean> of(String words) {
        return new WordTable<Boolean>(split(words).length).putAll(Boolean.TRUE, words);
    }

    private static String[] split(String words) {
        return words.strip().split("\\s+", -1);
    }

    /** Adds words, which are separated by white space, all with the same value. */
    public WordTable<T> putAll(T value, String words) {
        for (String word : split(words)) {
            put(word, value);
        }
        return this;
    }

    public WordTable<T> put(String word, T value) {
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
        lengths[chars[0] & 31] |= 1L << chars.length;
        return this;
    }

    public @Nullable T find(TokenText token) {
        int length = token.length();
        if (length == 0 || length >= Long.SIZE || (lengths[token.at(0) & 31] & (1L << length)) == 0) {
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

    /** Finds the word in a part of a token. */
    public @Nullable T find(TokenText token, int from, int to) {
        int length = to - from;
        if (length <= 0 || length >= Long.SIZE || (lengths[token.at(from) & 31] & (1L << length)) == 0) {
            return null;
        }
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = hash(hash, token.at(i));
        }
        for (int slot = spread(hash) & mask; values[slot] != null; slot = (slot + 1) & mask) {
            if (hashes[slot] == hash && token.sameAs(from, to, words[slot])) {
                return values[slot];
            }
        }
        return null;
    }

    /** One step of a hash that is the same for both cases of a letter. */
    static int hash(int hash, char c) {
        return hash * 31 + (c & ~0x20);
    }

    private static int spread(int hash) {
        int h = hash * 0x9E3779B9;
        return h ^ (h >>> 15);
    }
}
