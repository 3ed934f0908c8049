package dev.comporta.console.value;

/**
 * How text compares: without regard to case and to trailing spaces, as under SQL Server's default collation. Accents
 * count. Letters sort by code unit, so punctuation may sort elsewhere than on a server.
 */
public final class Collation {
    private Collation() {}

    /** Equal for texts that compare as equal. */
    public static String key(String text) {
        int end = end(text);
        StringBuilder folded = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            folded.append(fold(text.charAt(i)));
        }
        return folded.toString();
    }

    public static int compare(String a, String b) {
        int endOfA = end(a);
        int endOfB = end(b);
        for (int i = 0; i < endOfA && i < endOfB; i++) {
            int difference = fold(a.charAt(i)) - fold(b.charAt(i));
            if (difference != 0) {
                return difference;
            }
        }
        return endOfA - endOfB;
    }

    private static int end(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return end;
    }

    // First to upper, then to lower case: some letters share only one of the two.
    static char fold(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }
}
