package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.ast.ObjectName;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server's own procedures, by name. */
final class SystemProcedures {
    /** A procedure; what it returns is the return status. */
    interface Body {
        int run(SystemCall call);
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
        SessionProcedures.addTo(procedures);
        CatalogProcedures.addTo(procedures);
        return Map.copyOf(procedures);
    }
}
