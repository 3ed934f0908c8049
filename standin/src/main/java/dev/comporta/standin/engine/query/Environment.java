package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.TypedValue;
import org.jspecify.annotations.Nullable;

/** What a query asks of the session that it runs in. */
public interface Environment {
    /** A variable's value now; error 137 when it is not declared. */
    TypedValue variable(String name);

    /** A system variable's value now, by its name with @@ in upper case. */
    TypedValue global(String name);

    /** Error 208 when there is none. */
    Relation relation(ObjectName name);

    Conversion conversion();

    /** A function that answers from the session's state, by its name in upper case. */
    @Nullable
    JavaFunction sessionFunction(String name);

    /** Tells the session of an identity value that a row was given. */
    void identityInserted(long value);

    /** Whether SET IDENTITY_INSERT is on for the table. */
    boolean insertsIdentity(int tableId);

    long nextRowVersion();
}
