package dev.comporta.jdbc.session;

import org.jspecify.annotations.Nullable;

/**
 * What the pool does about the statements of a session.
 *
 * @param timeoutSeconds after which the driver cancels a query; 0 for what the driver does
 * @param times where queries are counted; null if they are not
 */
public record StatementRules(int timeoutSeconds, @Nullable QueryTimes times) {
    public static final StatementRules NONE = new StatementRules(0, null);
}
