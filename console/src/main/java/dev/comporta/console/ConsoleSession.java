package dev.comporta.console;

import dev.comporta.console.eval.scalar.SessionFacts;

/** A user of the console, as the listener knows that user. */
public interface ConsoleSession {
    SessionFacts facts();

    /** Whether the login may give commands. Any login of the console may read. */
    boolean mayCommand();

    /** Where the client is, for the audit log; empty when the listener does not know. */
    default String address() {
        return "";
    }

    /** Receives the line that a command of this session left in the audit log. */
    default void audited(String line) {}
}
