package dev.comporta.ops.route;

/** Compares names as SQL Server's default collations do: without regard to case. Allocates nothing. */
final class Letters {
    private Letters() {}

    /** Equal for letters that differ in case only; the same rule as {@link String#equalsIgnoreCase}. */
    static char fold(char c) {
        if (c < 0x80) {
            return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
        }
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    static int hash(CharSequence name, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + fold(name.charAt(i));
        }
        // Numbered names differ in their last digits only; the table uses the low bits.
        hash ^= hash >>> 16;
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        return hash ^ (hash >>> 16);
    }

    /** Whether {@code name[from, to)} matches a pattern in which {@code *} stands for any letters, or none. */
    static boolean matches(CharSequence pattern, int patternFrom, CharSequence name, int from, int to) {
        int p = patternFrom;
        int n = from;
        int star = -1;
        int resumeAt = -1;
        while (n < to) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resumeAt = n;
            } else if (p < pattern.length() && fold(pattern.charAt(p)) == fold(name.charAt(n))) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++resumeAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
