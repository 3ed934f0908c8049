package dev.comporta.jdbc.dialect;

import java.sql.SQLException;

/** Overrides what the dialect says about an error: whether the connection it came from is of further use. */
@FunctionalInterface
public interface LossRule {
    /** What an error says about its connection. */
    enum Verdict {
        /** Close the connection instead of giving it to another client. */
        LOST,
        /** The connection is well: a constraint was violated, a transaction lost a conflict. */
        USABLE,
        /** As the dialect says. */
        BY_DIALECT
    }

    LossRule NONE = _ -> Verdict.BY_DIALECT;

    Verdict judge(SQLException failure);
}
