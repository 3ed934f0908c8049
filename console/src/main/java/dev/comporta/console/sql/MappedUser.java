package dev.comporta.console.sql;

/** Whose mapping to which server: {@code FOR user SERVER name}. */
public record MappedUser(Kind kind, String user, String server) {
    /** Who is meant. */
    public enum Kind {
        /** {@code user} itself. */
        NAMED,
        /** {@code PUBLIC}: everybody without a mapping. */
        PUBLIC,
        /** {@code CURRENT_USER}: who gives the command. */
        CURRENT
    }

    /** As it was typed. */
    public String text() {
        return switch (kind) {
            case NAMED -> user;
            case PUBLIC -> "PUBLIC";
            case CURRENT -> "CURRENT_USER";
        };
    }
}
