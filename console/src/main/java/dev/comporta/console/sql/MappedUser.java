package dev.comporta.console.sql;

/** A user and the server that it is mapped to: {@code FOR user SERVER name}. */
public record MappedUser(Kind kind, String user, String server) {
    /** How the command names the user. */
    public enum Kind {
        /** {@code user} itself. */
        NAMED,
        /** {@code PUBLIC}: everybody without a mapping. */
        PUBLIC,
        /** {@code CURRENT_USER}: the user who gives the command. */
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
