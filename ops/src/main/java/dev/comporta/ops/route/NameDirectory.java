package dev.comporta.ops.route;

/**
 * Finds a bucket's number by a name (of a database, a server, a user), without regard to case. An exact name takes precedence
 * over patterns; among patterns, the one with the most letters before its first {@code *}. Looking up neither scans nor
 * allocates. Immutable, safe for any thread.
 */
public final class NameDirectory {
    /** Returned by {@link #find} when nothing matches. */
    public static final int NONE = NameTable.NONE;

    private final NameTable names;
    private final NamePatterns patterns;

    private NameDirectory(NameTable names, NamePatterns patterns) {
        this.names = names;
        this.patterns = patterns;
    }

    public int find(CharSequence name) {
        return find(name, 0, name.length());
    }

    /** Looks up a part of a text, so that the caller need not copy it. */
    public int find(CharSequence text, int from, int to) {
        int exact = names.find(text, from, to);
        return exact != NONE ? exact : patterns.find(text, from, to);
    }

    /** The number of names and patterns. */
    public int size() {
        return names.size() + patterns.size();
    }

    /** The number of bytes that the exact names occupy. */
    public long footprint() {
        return names.footprint();
    }

    /** Collects names and patterns. Not thread-safe. */
    public static final class Builder {
        private final NameTable.Builder names = new NameTable.Builder();
        private final NamePatterns.Builder patterns = new NamePatterns.Builder();

        /**
         * Adds a name, or a pattern if it has a {@code *}, and returns {@link #NONE}. If it is there already, its number
         * stays, and is returned.
         */
        public int putIfAbsent(String nameOrPattern, int value) {
            return nameOrPattern.indexOf('*') >= 0
                    ? patterns.putIfAbsent(nameOrPattern, value)
                    : names.putIfAbsent(nameOrPattern, value);
        }

        public NameDirectory build() {
            return new NameDirectory(names.build(), patterns.build());
        }
    }
}
