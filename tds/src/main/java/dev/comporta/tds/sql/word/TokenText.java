package dev.comporta.tds.sql.word;

/**
 * The text of the current token, without its delimiters, up to the longest name or value that can matter. Belongs to one
 * scanner.
 */
public final class TokenText {
    /** SQL Server's names have at most 128 characters, and so have the values that SET takes as strings. */
    static final int LONGEST = 128;

    private final char[] chars = new char[LONGEST];
    private int length;
    private int hash;
    private boolean tooLong;
    private long position;

    /** Begins a token whose first character is at that position of the text. */
    public void begin(long at) {
        position = at;
        length = 0;
        hash = 0;
        tooLong = false;
    }

    public void append(char c) {
        if (length == LONGEST) {
            tooLong = true;
            return;
        }
        chars[length++] = c;
        hash = WordTable.hash(hash, c);
    }

    /**
     * Appends characters of {@code four}, from the shift {@code from} on, as long as they are ASCII and part of a word; returns
     * the shift where it stopped. Most characters take this path, so only the array is written until the end.
     */
    public int appendWordParts(long four, int from) {
        char[] to = chars;
        int end = length;
        int newHash = hash;
        int shift = from;
        while (shift < Long.SIZE && end < LONGEST) {
            char c = (char) (four >>> shift);
            if (!CharacterClass.isAsciiWordPart(c)) {
                break;
            }
            to[end++] = c;
            newHash = WordTable.hash(newHash, c);
            shift += Character.SIZE;
        }
        length = end;
        hash = newHash;
        return shift;
    }

    public long position() {
        return position;
    }

    public int length() {
        return length;
    }

    /** The same for both cases of an ASCII letter; other letters are not folded, because keywords are ASCII only. */
    public int hash() {
        return hash;
    }

    public boolean isTooLong() {
        return tooLong;
    }

    public boolean startsWith(char c) {
        return length > 0 && chars[0] == c;
    }

    public char at(int index) {
        return chars[index];
    }

    public boolean sameAs(char[] upperCase) {
        return !tooLong && sameAs(0, length, upperCase);
    }

    public boolean sameAs(int from, int to, char[] upperCase) {
        if (to - from != upperCase.length) {
            return false;
        }
        for (int i = 0; i < upperCase.length; i++) {
            if (upper(chars[from + i]) != upperCase[i]) {
                return false;
            }
        }
        return true;
    }

    public static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - ('a' - 'A')) : c;
    }
}
