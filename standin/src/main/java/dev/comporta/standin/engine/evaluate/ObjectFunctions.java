package dev.comporta.standin.engine.evaluate;

import static dev.comporta.standin.engine.function.JavaFunction.lenient;
import static dev.comporta.standin.engine.function.JavaFunction.strict;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.session.EngineSettings;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.Types;
import dev.comporta.standin.engine.view.SystemViews;
import dev.comporta.standin.engine.view.TypeCatalog;
import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Functions about the server, its databases and their objects. */
final class ObjectFunctions {
    private ObjectFunctions() {}

    static @Nullable JavaFunction find(String name, Session session, SessionEnvironment environment) {
        return switch (name) {
            case "DB_NAME" -> lenient(0, 1, t -> Types.SYSNAME, a -> databaseName(a, session));
            case "DB_ID" -> lenient(0, 1, t -> Types.SMALLINT, a -> databaseId(a, session));
            case "ORIGINAL_DB_NAME" ->
                lenient(0, 0, t -> Types.SYSNAME, a -> session.login().database());
            case "SCHEMA_NAME" -> lenient(0, 1, t -> Types.SYSNAME, a -> schemaName(a, session));
            case "SCHEMA_ID" -> lenient(0, 1, t -> Types.INT, a -> schemaId(a, session));
            case "OBJECT_ID" -> strict(1, 2, t -> Types.INT, a -> objectId(a, session, environment));
            case "OBJECT_NAME" -> strict(1, 2, t -> Types.SYSNAME, a -> objectName(a.integer(0), session));
            case "OBJECT_SCHEMA_NAME" -> strict(1, 2, t -> Types.SYSNAME, a -> "dbo");
            case "COL_NAME" -> strict(2, 2, t -> Types.SYSNAME, a -> columnName(a, session));
            case "TYPE_NAME" -> strict(1, 1, t -> Types.SYSNAME, a -> TypeCatalog.name(a.integer(0)));
            case "TYPE_ID" -> strict(1, 1, t -> Types.INT, a -> TypeCatalog.id(a.text(0)));
            case "IDENT_CURRENT" -> strict(1, 1, t -> Types.numeric(38, 0), a -> identCurrent(a.text(0), environment));
            case "SERVERPROPERTY" -> strict(1, 1, t -> Types.SQL_VARIANT, a -> serverProperty(a.text(0), session));
            case "DATABASEPROPERTYEX" ->
                strict(2, 2, t -> Types.SQL_VARIANT, a -> databaseProperty(a.text(0), a.text(1), session));
            case "COLLATIONPROPERTY" -> strict(2, 2, t -> Types.SQL_VARIANT, a -> collationProperty(a.text(1)));
            case "PARSENAME" -> strict(2, 2, t -> Types.SYSNAME, a -> parseName(a.text(0), a.integer(1)));
            default -> null;
        };
    }

    private static @Nullable String databaseName(JavaFunction.Arguments a, Session session) {
        if (a.count() == 0) {
            return session.database();
        }
        Database database = a.isNull(0) ? null : session.engine().catalog().database(a.integer(0));
        return database == null ? null : database.name();
    }

    private static @Nullable Object databaseId(JavaFunction.Arguments a, Session session) {
        if (a.count() > 0 && a.isNull(0)) {
            return null;
        }
        String name = a.count() == 0 ? session.database() : a.text(0);
        Database database = session.engine().catalog().database(name);
        return database == null ? null : (short) database.id();
    }

    private static @Nullable String schemaName(JavaFunction.Arguments a, Session session) {
        if (a.count() == 0) {
            return "dbo";
        }
        if (a.isNull(0)) {
            return null;
        }
        int wanted = a.integer(0);
        for (String schema :
                session.engine().catalog().require(session.database()).schemas()) {
            if (SystemViews.schemaId(schema) == wanted) {
                return schema;
            }
        }
        return wanted == SystemViews.schemaId("sys") ? "sys" : null;
    }

    private static @Nullable Object schemaId(JavaFunction.Arguments a, Session session) {
        String name = a.count() == 0 || a.isNull(0) ? "dbo" : a.text(0);
        boolean known =
                session.engine().catalog().require(session.database()).schemas().contains(name);
        return known || name.equalsIgnoreCase("sys") ? SystemViews.schemaId(name) : null;
    }

    private static @Nullable Object objectId(
            JavaFunction.Arguments a, Session session, SessionEnvironment environment) {
        ObjectName name;
        try {
            name = Parser.objectName(a.text(0));
        } catch (SqlError e) {
            return null;
        }
        if (name.isTemporary()) {
            Table table = environment.temporary(name);
            return table == null ? null : table.id();
        }
        String database = name.database().isEmpty() ? session.database() : name.database();
        Database found = session.engine().catalog().database(database);
        if (found == null) {
            return null;
        }
        String kind = a.count() > 1 ? a.text(1).strip().toUpperCase(Locale.ROOT) : "";
        String schema = SessionEnvironment.schema(name);
        Table table = found.table(schema, name.name());
        if (table != null && (kind.isEmpty() || kind.equals("U"))) {
            return table.id();
        }
        Relation.View view = found.view(schema, name.name());
        if (view != null && (kind.isEmpty() || kind.equals("V"))) {
            return view.id();
        }
        Procedure procedure = found.procedure(schema, name.name());
        boolean wantsProcedure = kind.isEmpty() || kind.equals("P");
        return procedure != null && wantsProcedure ? (Object) procedure.id() : null;
    }

    private static @Nullable String objectName(int id, Session session) {
        for (Database database : session.engine().catalog().databases()) {
            for (Table table : database.tables()) {
                if (table.id() == id) {
                    return table.name();
                }
            }
            for (Relation.View view : database.views()) {
                if (view.id() == id) {
                    return view.name();
                }
            }
            for (Procedure procedure : database.procedures()) {
                if (procedure.id() == id) {
                    return procedure.name();
                }
            }
        }
        return null;
    }

    private static @Nullable String columnName(JavaFunction.Arguments a, Session session) {
        Table table = session.engine().catalog().tableById(a.integer(0));
        int index = a.integer(1) - 1;
        return table == null || index < 0 || index >= table.columns().size()
                ? null
                : table.columns().get(index).name();
    }

    private static @Nullable BigDecimal identCurrent(String name, SessionEnvironment environment) {
        Table table = environment.table(Parser.objectName(name));
        var column = table.identityColumn();
        if (column == null || column.identity() == null) {
            return null;
        }
        Long last = table.lastIdentity();
        return BigDecimal.valueOf(last == null ? column.identity().seed() : last);
    }

    private static @Nullable Object serverProperty(String name, Session session) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "productversion" -> session.engine().settings().productVersion();
            case "productmajorversion" -> session.isBabelfish() ? "12" : "16";
            case "babelfishversion" -> session.isBabelfish() ? EngineSettings.BABELFISH_VERSION : null;
            case "productminorversion" -> "0";
            case "productlevel" -> "RTM";
            case "edition" -> "Developer Edition (64-bit)";
            case "engineedition" -> 3;
            case "servername", "machinename", "computernamephysicalnetbios" ->
                session.engine().settings().serverName();
            case "collation" -> SystemViews.COLLATION;
            case "isclustered", "ishadrenabled", "isintegratedsecurityonly", "issingleuser" -> 0;
            case "processid" -> (int) ProcessHandle.current().pid();
            default -> null;
        };
    }

    private static @Nullable Object databaseProperty(String database, String property, Session session) {
        if (session.engine().catalog().database(database) == null) {
            return null;
        }
        return switch (property.toLowerCase(Locale.ROOT)) {
            case "collation" -> SystemViews.COLLATION;
            case "status" -> "ONLINE";
            case "updateability" -> "READ_WRITE";
            case "useraccess" -> "MULTI_USER";
            case "recovery" -> "SIMPLE";
            case "version" -> 957;
            default -> null;
        };
    }

    private static @Nullable Object collationProperty(String property) {
        return switch (property.toLowerCase(Locale.ROOT)) {
            case "codepage" -> 1252;
            case "lcid" -> 1033;
            case "comparisonstyle" -> 196609;
            case "version" -> 0;
            default -> null;
        };
    }

    private static @Nullable String parseName(String text, int part) {
        ObjectName name = Parser.objectName(text);
        String found = switch (part) {
            case 1 -> name.name();
            case 2 -> name.schema();
            case 3 -> name.database();
            default -> "";
        };
        return found.isEmpty() ? null : found;
    }
}
