package dev.comporta.console.names;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name most similar to a misspelt one, by the number of letters to insert, delete, change or swap. */
public final class NearestName {
    private NearestName() {}

    /** Empty when no candidate is near: a far-fetched suggestion misleads more than none. */
    public static Optional<String> among(Collection<String> candidates, String typed) {
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(squeeze(typed), squeeze(candidate));
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        // One wrong letter at most in a word of two or three, or every other short word would be near.
        int tolerated = typed.length() <= 3 ? typed.length() / 2 : Math.max(2, typed.length() / 2);
        return bestDistance <= tolerated ? Optional.ofNullable(best) : abbreviated(candidates, squeeze(typed));
    }

    // max_conns abbreviates max_connections, but is six letters away from it.
    private static Optional<String> abbreviated(Collection<String> candidates, String typed) {
        return typed.length() <= 2
                ? Optional.empty()
                : candidates.stream()
                        .filter(candidate -> isSubsequence(typed, squeeze(candidate)))
                        .min(Comparator.comparingInt(String::length));
    }

    private static boolean isSubsequence(String typed, String candidate) {
        if (candidate.isEmpty() || typed.charAt(0) != candidate.charAt(0)) {
            return false;
        }
        int at = 0;
        for (int i = 0; i < candidate.length() && at < typed.length(); i++) {
            if (candidate.charAt(i) == typed.charAt(at)) {
                at++;
            }
        }
        return at == typed.length();
    }

    // listenPort, listen-port and LISTEN_PORT are all meant to be listen_port.
    private static String squeeze(String name) {
        StringBuilder letters = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '_' && c != '-') {
                letters.append(Character.toLowerCase(c));
            }
        }
        return letters.toString();
    }

    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] spare = beforeLast;
            beforeLast = last;
            last = row;
            row = spare;
        }
        return last[b.length()];
    }
}
