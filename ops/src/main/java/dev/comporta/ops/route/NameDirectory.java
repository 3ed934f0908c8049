package dev.comporta.ops.route;

/**
 * From a name (of a database, a server, a user) to a bucket's number, without regard to case. An exact name is stronger
 * than any pattern; among patterns the one with the most letters before its first {@code *} wins. Looking up neither
 * scans nor allocates. Immutable, safe for any thread.
 */
public final class NameDirectory {
    /** What {@link #find} answers when nothing fits. */
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

    /** Looks up a part of a text, so that the caller need not cut it out. */
    public int find(CharSequence text, int from, int to) {
        int exact = names.find(text, from, to);
        return exact != NONE ? exact : patterns.find(text, from, to);
    }

    /** How many names and patterns there are. */
    public int size() {
        return names.size() + patterns.size();
    }

    /** The bytes that the exact names occupy. */
    public long footprint() {
        return names.footprint();
    }

    /** Collects names and patterns, one thread at a time. */
    public static final class Builder {
        private final NameTable.Builder names = new NameTable.Builder();
        private final NamePatterns.Builder patterns = new NamePatterns.Builder();

        /**
         * Adds a name, or a pattern if it has a {@code *}, unless it is there already; then its number stays, and is
         * returned. Otherwise {@link #NONE}.
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
