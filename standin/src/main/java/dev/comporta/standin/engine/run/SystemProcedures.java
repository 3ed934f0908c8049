package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.procedure.CatalogProcedures;
import dev.comporta.standin.engine.procedure.SessionProcedures;
import dev.comporta.standin.engine.procedure.SystemCall;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The system procedures, by name. */
final class SystemProcedures {
    /** A procedure that may run statements; {@code run} returns its return status. */
    interface Body {
        int run(SystemCall call, Interpreter interpreter);
    }

    private static final Map<String, Body> ALL = all();

    private SystemProcedures() {}

    static @Nullable Body find(ObjectName name) {
        String schema = name.schema().toLowerCase(Locale.ROOT);
        boolean here = schema.isEmpty() || schema.equals("sys") || schema.equals("dbo");
        return here ? ALL.get(name.name().toLowerCase(Locale.ROOT)) : null;
    }

    private static Map<String, Body> all() {
        Map<String, Body> procedures = new HashMap<>();
        DynamicSqlProcedures.addTo(procedures);
        CursorProcedures.addTo(procedures);
        Map<String, SystemCall.Body> plain = new HashMap<>();
        SessionProcedures.addTo(plain);
        CatalogProcedures.addTo(plain);
        plain.forEach((name, body) -> procedures.put(name, (call, interpreter) -> body.run(call)));
        return Map.copyOf(procedures);
    }
}
