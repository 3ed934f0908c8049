package dev.comporta.console.value;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of T-SQL's LIKE: {@code %}, {@code _}, {@code [a-z]}, {@code [^a-z]} and an escape character. Matching takes at
 * most length of pattern times length of text steps: after a mismatch only the last {@code %} is tried again.
 */
public final class LikePattern {
    private sealed interface Part {
        record Any() implements Part {}

        record One() implements Part {}

        record Letter(char c) implements Part {}

        record Set(String ranges, boolean negated) implements Part {}
    }

    private final List<Part> parts;

    private LikePattern(List<Part> parts) {
        this.parts = parts;
    }

    public static LikePattern of(String pattern, @Nullable Character escape) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (escape != null && c == escape && i + 1 < pattern.length()) {
                parts.add(new Part.Letter(Collation.fold(pattern.charAt(++i))));
            } else if (c == '%') {
                if (parts.isEmpty() || !(parts.getLast() instanceof Part.Any)) {
                    parts.add(new Part.Any());
                }
            } else if (c == '_') {
                parts.add(new Part.One());
            } else if (c == '[') {
                i = set(pattern, i, escape, parts);
            } else {
                parts.add(new Part.Letter(Collation.fold(c)));
            }
        }
        return new LikePattern(parts);
    }

    // Returns the index of the closing bracket. Without one nothing can match, as on SQL Server.
    private static int set(String pattern, int open, @Nullable Character escape, List<Part> parts) {
        boolean negated = open + 1 < pattern.length() && pattern.charAt(open + 1) == '^';
        StringBuilder ranges = new StringBuilder();
        int i = open + (negated ? 2 : 1);
        // A bracket at the very beginning stands for itself.
        boolean first = true;
        while (i < pattern.length() && (first || pattern.charAt(i) != ']')) {
            first = false;
            char from = pattern.charAt(i);
            if (escape != null && from == escape && i + 1 < pattern.length()) {
                from = pattern.charAt(++i);
            }
            char to = from;
            if (i + 2 < pattern.length() && pattern.charAt(i + 1) == '-' && pattern.charAt(i + 2) != ']') {
                to = pattern.charAt(i + 2);
                i += 2;
            }
            ranges.append(Collation.fold(from)).append(Collation.fold(to));
            i++;
        }
        boolean closed = i < pattern.length();
        parts.add(closed ? new Part.Set(ranges.toString(), negated) : new Part.Set("", false));
        return i;
    }

    public boolean matches(String text) {
        int at = 0;
        int part = 0;
        int retryPart = -1;
        int retryAt = 0;
        while (at < text.length()) {
            if (part < parts.size() && parts.get(part) instanceof Part.Any) {
                retryPart = ++part;
                retryAt = at;
            } else if (part < parts.size() && fits(parts.get(part), Collation.fold(text.charAt(at)))) {
                part++;
                at++;
            } else if (retryPart >= 0) {
                part = retryPart;
                at = ++retryAt;
            } else {
                return trailingSpaces(text, at, part);
            }
        }
        while (part < parts.size() && parts.get(part) instanceof Part.Any) {
            part++;
        }
        return part == parts.size();
    }

    // 'a ' LIKE 'a' holds: trailing spaces of the text do not count.
    private boolean trailingSpaces(String text, int at, int part) {
        return part == parts.size()
                && text.substring(at).isBlank()
                && !text.substring(at).isEmpty();
    }

    private static boolean fits(Part part, char c) {
        return switch (part) {
            case Part.Any() -> false;
            case Part.One() -> true;
            case Part.Letter(char letter) -> letter == c;
            case Part.Set(String ranges, boolean negated) -> inRanges(ranges, c) != negated;
        };
    }

    private static boolean inRanges(String ranges, char c) {
        for (int i = 0; i + 1 < ranges.length(); i += 2) {
            if (ranges.charAt(i) <= c && c <= ranges.charAt(i + 1)) {
                return true;
            }
        }
        return false;
    }
}
