package dev.comporta.jdbc.session;

import org.jspecify.annotations.Nullable;

/**
 * The pool's rules for the statements of a session.
 *
 * @param timeoutSeconds the time after which the driver cancels a query; 0 for the driver's default
 * @param times records the queries; null if they are not counted
 */
public record StatementRules(int timeoutSeconds, @Nullable QueryTimes times) {
    public static final StatementRules NONE = new StatementRules(0, null);
}
