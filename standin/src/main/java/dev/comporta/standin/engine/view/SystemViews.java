package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Relation;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the views of the server's own state by their names. */
public final class SystemViews {
    public static final String COLLATION = "SQL_Latin1_General_CP1_CI_AS";

    private SystemViews() {}

    /** sys.x, INFORMATION_SCHEMA.x, and the old master..sysx by their bare names. */
    public static Relation.@Nullable SystemView find(ObjectName name, Session session) {
        String schema = name.schema().toLowerCase(Locale.ROOT);
        String view = name.name().toLowerCase(Locale.ROOT);
        String database = name.database().isEmpty() ? session.database() : name.database();
        Database found = session.engine().catalog().database(database);
        if (found == null) {
            return null;
        }
        return switch (schema) {
            case "sys" -> sys(view, found, session);
            case "information_schema" -> InformationSchema.find(view, found);
            case "", "dbo" -> view.startsWith("sys") ? OldSystemTables.find(view, session) : null;
            default -> null;
        };
    }

    private static Relation.@Nullable SystemView sys(String view, Database database, Session session) {
        Relation.SystemView found = ServerViews.find(view, session);
        return found != null ? found : ObjectViews.find(view, database);
    }

    /** dbo and guest have SQL Server's ids; others get a hash of their name, which is enough for joins. */
    public static int schemaId(String schema) {
        return switch (schema.toLowerCase(Locale.ROOT)) {
            case "dbo" -> 1;
            case "guest" -> 2;
            case "information_schema" -> 3;
            case "sys" -> 4;
            default -> 5 + (schema.toLowerCase(Locale.ROOT).hashCode() & 0xffff);
        };
    }
}
