package dev.comporta.jdbc.dialect;

import java.sql.SQLException;

/** Overrides the dialect's verdict on an error: whether the connection that it came from can still be used. */
@FunctionalInterface
public interface LossRule {
    /** What an error means for its connection. */
    enum Verdict {
        /** Close the connection instead of giving it to another client. */
        LOST,
        /** The connection is usable: a constraint was violated, a transaction lost a conflict. */
        USABLE,
        /** The dialect decides. */
        BY_DIALECT
    }

    LossRule NONE = _ -> Verdict.BY_DIALECT;

    Verdict judge(SQLException failure);
}
