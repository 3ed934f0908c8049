package dev.comporta.jdbc.admin;

import dev.comporta.console.ConsoleSession;
import dev.comporta.console.eval.scalar.SessionFacts;

/** The user of an administrative connection. Used by one thread at a time, as a JDBC connection is. */
final class AdminSession implements ConsoleSession {
    /** The version of a server whose catalog the console's resembles, for tools that depend on it. */
    private static final String PRODUCT_VERSION = "16.0.1000.6";

    private final String user;
    private final int number;
    private boolean readOnly;

    AdminSession(String user, int number) {
        this.user = user;
        this.number = number;
    }

    String user() {
        return user;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    void setReadOnly(boolean to) {
        readOnly = to;
    }

    @Override
    public SessionFacts facts() {
        return new SessionFacts(number, user, "comporta", "Comporta, in process", PRODUCT_VERSION, "", "JDBC", 0);
    }

    @Override
    public boolean mayCommand() {
        return !readOnly;
    }
}
