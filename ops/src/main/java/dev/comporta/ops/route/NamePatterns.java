package dev.comporta.ops.route;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Patterns with {@code *}, grouped by the prefix before their first star. The group with the longest prefix is searched
 * first; within a group the pattern with the most letters; then the one that was given first. A lookup costs one probe for
 * each length of prefix that occurs, however many patterns there are. Immutable.
 */
final class NamePatterns {
    private record Pattern(String text, int prefix, int value) {
        int letterCount() {
            return (int) text.chars().filter(c -> c != '*').count();
        }
    }

    private final NameTable groups;
    private final List<List<Pattern>> members;
    private final int[] lengths;

    private NamePatterns(NameTable groups, List<List<Pattern>> members, int[] lengths) {
        this.groups = groups;
        this.members = members;
        this.lengths = lengths;
    }

    int find(CharSequence name, int from, int to) {
        for (int length : lengths) {
            if (length > to - from) {
                continue;
            }
            int group = groups.find(name, from, from + length);
            if (group == NameTable.NONE) {
                continue;
            }
            List<Pattern> candidates = members.get(group);
            for (int i = 0; i < candidates.size(); i++) {
                Pattern pattern = candidates.get(i);
                if (Letters.matches(pattern.text, pattern.prefix, name, from + length, to)) {
                    return pattern.value;
                }
            }
        }
        return NameTable.NONE;
    }

    int size() {
        return members.stream().mapToInt(List::size).sum();
    }

    /** Collects patterns. Not thread-safe. */
    static final class Builder {
        private final NameTable.Builder groups = new NameTable.Builder();
        private final List<List<Pattern>> members = new ArrayList<>();

        /** As {@link NameTable.Builder#putIfAbsent}. */
        int putIfAbsent(String text, int value) {
            int prefix = text.indexOf('*');
            int existing = groups.putIfAbsent(text.substring(0, prefix), members.size());
            if (existing == NameTable.NONE) {
                members.add(new ArrayList<>());
            }
            List<Pattern> group = existing == NameTable.NONE ? members.getLast() : members.get(existing);
            for (Pattern other : group) {
                if (other.text.equalsIgnoreCase(text)) {
                    return other.value;
                }
            }
            group.add(new Pattern(text, prefix, value));
            return NameTable.NONE;
        }

        NamePatterns build() {
            List<List<Pattern>> sorted = new ArrayList<>();
            for (List<Pattern> group : members) {
                List<Pattern> copy = new ArrayList<>(group);
                copy.sort(Comparator.comparingInt(Pattern::letterCount).reversed());
                sorted.add(List.copyOf(copy));
            }
            int[] lengths = sorted.stream()
                    .mapToInt(group -> -group.getFirst().prefix)
                    .distinct()
                    .sorted()
                    .map(negative -> -negative)
                    .toArray();
            return new NamePatterns(groups.build(), List.copyOf(sorted), lengths);
        }
    }
}
