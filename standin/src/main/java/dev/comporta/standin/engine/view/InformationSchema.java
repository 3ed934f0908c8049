package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.type.Types;
import dev.comporta.standin.engine.view.ObjectViews.ColumnOf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** INFORMATION_SCHEMA. */
final class InformationSchema {
    private record Named(String schema, String name, String type) {}

    private record ParameterOf(Procedure procedure, Statement.ParameterDef parameter, int ordinal) {}

    private InformationSchema() {}

    static Relation.@Nullable SystemView find(String name, Database database) {
        return switch (name) {
            case "tables" -> tables(database);
            case "columns" -> columns(database);
            case "schemata" -> schemata(database);
            case "routines" -> routines(database);
            case "parameters" -> parameters(database);
            default -> null;
        };
    }

    private static Relation.SystemView tables(Database database) {
        return new ViewBuilder<Named>("INFORMATION_SCHEMA.TABLES")
                .with("TABLE_CATALOG", Types.SYSNAME, t -> database.name())
                .with("TABLE_SCHEMA", Types.SYSNAME, Named::schema)
                .with("TABLE_NAME", Types.SYSNAME, Named::name)
                .with("TABLE_TYPE", Types.varchar(10), Named::type)
                .over(() -> {
                    List<Named> all = new ArrayList<>();
                    database.tables().forEach(t -> all.add(new Named(t.schema(), t.name(), "BASE TABLE")));
                    database.views().forEach(v -> all.add(new Named(v.schema(), v.name(), "VIEW")));
                    return all;
                });
    }

    private static Relation.SystemView columns(Database database) {
        return new ViewBuilder<ColumnOf>("INFORMATION_SCHEMA.COLUMNS")
                .with("TABLE_CATALOG", Types.SYSNAME, c -> database.name())
                .with("TABLE_SCHEMA", Types.SYSNAME, c -> c.table().schema())
                .with("TABLE_NAME", Types.SYSNAME, c -> c.table().name())
                .with("COLUMN_NAME", Types.SYSNAME, c -> c.column().name())
                .with("ORDINAL_POSITION", Types.INT, ColumnOf::ordinal)
                .with(
                        "COLUMN_DEFAULT",
                        Types.nvarchar(4000),
                        c -> c.column().defaultText().isEmpty()
                                ? null
                                : "(" + c.column().defaultText() + ")")
                .with("IS_NULLABLE", Types.varchar(3), c -> c.column().nullable() ? "YES" : "NO")
                .with("DATA_TYPE", Types.SYSNAME, c -> Types.name(c.type()))
                .with("CHARACTER_MAXIMUM_LENGTH", Types.INT, InformationSchema::length)
                .with("CHARACTER_OCTET_LENGTH", Types.INT, InformationSchema::octets)
                .with(
                        "NUMERIC_PRECISION",
                        Types.TINYINT,
                        c -> Types.isNumber(c.type()) ? (short) TypeCatalog.precision(c.type()) : null)
                .with(
                        "NUMERIC_SCALE",
                        Types.INT,
                        c -> Types.isNumber(c.type()) ? (Integer) TypeCatalog.scale(c.type()) : null)
                .with(
                        "DATETIME_PRECISION",
                        Types.SMALLINT,
                        c -> Types.isTemporal(c.type()) ? (short) TypeCatalog.scale(c.type()) : null)
                .with("COLLATION_NAME", Types.SYSNAME, c -> Types.isText(c.type()) ? SystemViews.COLLATION : null)
                .over(() -> ObjectViews.allColumns(database));
    }

    private static @Nullable Object length(ColumnOf c) {
        boolean sized = Types.isText(c.type()) || Types.isBinary(c.type());
        return !sized
                ? null
                : Types.isLarge(c.type())
                        ? Integer.valueOf(-1)
                        : (Integer) c.type().length();
    }

    private static @Nullable Object octets(ColumnOf c) {
        boolean sized = Types.isText(c.type()) || Types.isBinary(c.type());
        return sized ? (Integer) TypeCatalog.maxLength(c.type()) : null;
    }

    private static Relation.SystemView schemata(Database database) {
        return new ViewBuilder<String>("INFORMATION_SCHEMA.SCHEMATA")
                .with("CATALOG_NAME", Types.SYSNAME, s -> database.name())
                .with("SCHEMA_NAME", Types.SYSNAME, s -> s)
                .with("SCHEMA_OWNER", Types.SYSNAME, s -> "dbo")
                .over(() -> List.copyOf(database.schemas()));
    }

    private static Relation.SystemView routines(Database database) {
        return new ViewBuilder<Procedure>("INFORMATION_SCHEMA.ROUTINES")
                .with("ROUTINE_CATALOG", Types.SYSNAME, p -> database.name())
                .with("ROUTINE_SCHEMA", Types.SYSNAME, Procedure::schema)
                .with("ROUTINE_NAME", Types.SYSNAME, Procedure::name)
                .with("ROUTINE_TYPE", Types.nvarchar(20), p -> "PROCEDURE")
                .with("ROUTINE_DEFINITION", Types.nvarchar(4000), Procedure::text)
                .over(database::procedures);
    }

    private static Relation.SystemView parameters(Database database) {
        return new ViewBuilder<ParameterOf>("INFORMATION_SCHEMA.PARAMETERS")
                .with("SPECIFIC_CATALOG", Types.SYSNAME, p -> database.name())
                .with("SPECIFIC_SCHEMA", Types.SYSNAME, p -> p.procedure.schema())
                .with("SPECIFIC_NAME", Types.SYSNAME, p -> p.procedure.name())
                .with("ORDINAL_POSITION", Types.INT, ParameterOf::ordinal)
                .with("PARAMETER_MODE", Types.nvarchar(10), p -> p.parameter.output() ? "INOUT" : "IN")
                .with("PARAMETER_NAME", Types.SYSNAME, p -> p.parameter.name())
                .with("DATA_TYPE", Types.SYSNAME, p -> Types.name(p.parameter.type()))
                .over(() -> {
                    List<ParameterOf> all = new ArrayList<>();
                    for (Procedure procedure : database.procedures()) {
                        for (int i = 0; i < procedure.parameters().size(); i++) {
                            all.add(new ParameterOf(
                                    procedure, procedure.parameters().get(i), i + 1));
                        }
                    }
                    return all;
                });
    }
}
