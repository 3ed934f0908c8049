package dev.comporta.tds.sql;

import java.util.Arrays;

/**
 * Holds the few names and values that a scan keeps, so that they outlive the packets they came in. Grows to what the
 * texts of its scanner need, up to a bound, and is then reused. A slice is a long: start in the upper half, end in the
 * lower.
 */
final class TextArena {
    static final long EMPTY = 0;
    private static final int LARGEST = 16 * 1024;

    private char[] chars = new char[256];
    private int end;

    void clear() {
        end = 0;
    }

    int end() {
        return end;
    }

    boolean append(char c) {
        if (end == chars.length) {
            if (end == LARGEST) {
                return false;
            }
            chars = Arrays.copyOf(chars, end * 2);
        }
        chars[end++] = c;
        return true;
    }

    boolean append(TokenText token) {
        for (int i = 0; i < token.length(); i++) {
            if (!append(token.at(i))) {
                return false;
            }
        }
        return true;
    }

    boolean append(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!append(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    boolean append(TextArena from, long slice) {
        for (int i = 0; i < from.length(slice); i++) {
            if (!append(from.at(slice, i))) {
                return false;
            }
        }
        return true;
    }

    /** Forgets what was appended from there on. */
    void cut(int start) {
        end = start;
    }

    long sliceFrom(int start) {
        return ((long) start << 32) | end;
    }

    String string(long slice) {
        return new String(chars, start(slice), end(slice) - start(slice));
    }

    /** Whether the slice is that text, ASCII case ignored. */
    boolean same(long slice, String text) {
        return end(slice) - start(slice) == text.length() && endsWith(slice, text);
    }

    boolean endsWith(long slice, String text) {
        int from = end(slice) - text.length();
        if (from < start(slice)) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (TokenText.upper(chars[from + i]) != TokenText.upper(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    boolean same(long one, long other) {
        int length = end(one) - start(one);
        if (length != end(other) - start(other)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (TokenText.upper(chars[start(one) + i]) != TokenText.upper(chars[start(other) + i])) {
                return false;
            }
        }
        return true;
    }

    char at(long slice, int index) {
        return chars[start(slice) + index];
    }

    int length(long slice) {
        return end(slice) - start(slice);
    }

    private static int start(long slice) {
        return (int) (slice >>> 32);
    }

    private static int end(long slice) {
        return (int) slice;
    }
}
