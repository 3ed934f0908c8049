package dev.comporta.tds.sql.word;

import java.util.Arrays;

/**
 * Holds the few names and values that a scan keeps, so that they outlive their packets. Grows as the texts of its scanner
 * require, up to a bound, and is then reused. A slice is a long: start in the upper half, end in the lower.
 */
public final class TextArena {
    public static final long EMPTY = 0;
    private static final int LARGEST = 16 * 1024;

    private char[] chars = new char[256];
    private int end;

    public void clear() {
        end = 0;
    }

    public int end() {
        return end;
    }

    public boolean append(char c) {
        if (end == chars.length) {
            if (end == LARGEST) {
                return false;
            }
            chars = Arrays.copyOf(chars, end * 2);
        }
        chars[end++] = c;
        return true;
    }

    public boolean append(TokenText token) {
        for (int i = 0; i < token.length(); i++) {
            if (!append(token.at(i))) {
                return false;
            }
        }
        return true;
    }

    public boolean append(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!append(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    public boolean append(TextArena from, long slice) {
        for (int i = 0; i < from.length(slice); i++) {
            if (!append(from.at(slice, i))) {
                return false;
            }
        }
        return true;
    }

    /** Discards what was appended from that position on. */
    public void cut(int start) {
        end = start;
    }

    public long sliceFrom(int start) {
        return ((long) start << 32) | end;
    }

    public String string(long slice) {
        return new String(chars, start(slice), end(slice) - start(slice));
    }

    /** Whether the slice is that text, ASCII case ignored. */
    public boolean same(long slice, String text) {
        return end(slice) - start(slice) == text.length() && endsWith(slice, text);
    }

    public boolean endsWith(long slice, String text) {
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

    public boolean same(long one, long other) {
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

    public char at(long slice, int index) {
        return chars[start(slice) + index];
    }

    public int length(long slice) {
        return end(slice) - start(slice);
    }

    private static int start(long slice) {
        return (int) (slice >>> 32);
    }

    private static int end(long slice) {
        return (int) slice;
    }
}
