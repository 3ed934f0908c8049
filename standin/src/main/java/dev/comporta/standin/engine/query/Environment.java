package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.TypedValue;
import org.jspecify.annotations.Nullable;

/** The session's state and catalog, as a query in it needs them. */
public interface Environment {
    /** A variable's present value; error 137 if it is not declared. */
    TypedValue variable(String name);

    /** A system variable's present value, by its name with @@ in upper case. */
    TypedValue global(String name);

    /** The table, view or system view of that name; error 208 if there is none. */
    Relation relation(ObjectName name);

    Conversion conversion();

    /** A function that depends on the session's state, by its name in upper case. */
    @Nullable
    JavaFunction sessionFunction(String name);

    /** Reports that a row received this identity value. */
    void identityInserted(long value);

    /** Whether SET IDENTITY_INSERT is on for the table. */
    boolean insertsIdentity(int tableId);

    long nextRowVersion();
}
