package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.store.Constraint;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.Types;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** sys views of a database's objects. */
public final class ObjectViews {
    /** The columns of sys.objects that all kinds of object have. */
    private record Item(
            int id, String schema, String name, String type, String description, int parent, LocalDateTime created) {}

    /** A column with its ordinal in its table, from 1. */
    record ColumnOf(Table table, TableColumn column, int ordinal) {
        SqlType type() {
            return column.type();
        }
    }

    private record ConstraintOf(Table table, Constraint constraint) {}

    private record IndexColumn(Table table, Constraint index, String column, int ordinal) {}

    private ObjectViews() {}

    static Relation.@Nullable SystemView find(String name, Database database) {
        return switch (name) {
            case "objects", "all_objects", "sysobjects" -> objects("sys." + name, database, "");
            case "tables" -> objects("sys.tables", database, "U ");
            case "views", "all_views" -> objects("sys." + name, database, "V ");
            case "procedures" -> objects("sys.procedures", database, "P ");
            case "schemas" -> schemas(database);
            case "columns", "all_columns" -> columns("sys." + name, database, false);
            case "identity_columns" -> columns("sys.identity_columns", database, true);
            case "indexes" -> indexes(database);
            case "index_columns" -> indexColumns(database);
            case "key_constraints", "foreign_keys", "check_constraints" -> constraints(name, database);
            case "sql_modules" -> modules(database);
            default -> null;
        };
    }

    private static Relation.SystemView objects(String name, Database database, String type) {
        return new ViewBuilder<Item>(name)
                .with("name", Types.SYSNAME, Item::name)
                .with("object_id", Types.INT, Item::id)
                .with("schema_id", Types.INT, i -> SystemViews.schemaId(i.schema))
                .with("parent_object_id", Types.INT, Item::parent)
                .with("type", new SqlType(SqlType.Name.CHAR, 2, 0, 0), Item::type)
                .with("type_desc", Types.nvarchar(60), Item::description)
                .with("create_date", Types.DATETIME, Item::created)
                .with("modify_date", Types.DATETIME, Item::created)
                .with("is_ms_shipped", Types.BIT, i -> false)
                .over(() -> items(database).stream()
                        .filter(item -> type.isEmpty() || item.type.equals(type))
                        .toList());
    }

    private static List<Item> items(Database database) {
        List<Item> items = new ArrayList<>();
        for (Table table : database.tables()) {
            items.add(new Item(table.id(), table.schema(), table.name(), "U ", "USER_TABLE", 0, table.created()));
            for (Constraint constraint : table.constraints()) {
                String[] kind = kind(constraint);
                if (!kind[0].isEmpty()) {
                    items.add(new Item(
                            constraint.id(),
                            table.schema(),
                            constraint.name(),
                            kind[0],
                            kind[1],
                            table.id(),
                            table.created()));
                }
            }
        }
        LocalDateTime now = Conversion.now().toLocalDateTime();
        for (Relation.View view : database.views()) {
            items.add(new Item(view.id(), view.schema(), view.name(), "V ", "VIEW", 0, now));
        }
        for (Procedure procedure : database.procedures()) {
            items.add(new Item(
                    procedure.id(), procedure.schema(), procedure.name(), "P ", "SQL_STORED_PROCEDURE", 0, now));
        }
        return items;
    }

    private static String[] kind(Constraint constraint) {
        return switch (constraint.kind()) {
            case PRIMARY_KEY -> new String[] {"PK", "PRIMARY_KEY_CONSTRAINT"};
            case UNIQUE -> new String[] {"UQ", "UNIQUE_CONSTRAINT"};
            case CHECK -> new String[] {"C ", "CHECK_CONSTRAINT"};
            case FOREIGN_KEY -> new String[] {"F ", "FOREIGN_KEY_CONSTRAINT"};
            case UNIQUE_INDEX, INDEX -> new String[] {"", ""};
        };
    }

    private static Relation.SystemView schemas(Database database) {
        return new ViewBuilder<String>("sys.schemas")
                .with("name", Types.SYSNAME, s -> s)
                .with("schema_id", Types.INT, SystemViews::schemaId)
                .with("principal_id", Types.INT, s -> 1)
                .over(() -> {
                    List<String> names = new ArrayList<>(database.schemas());
                    names.add("INFORMATION_SCHEMA");
                    names.add("sys");
                    return names;
                });
    }

    private static Relation.SystemView columns(String name, Database database, boolean identityOnly) {
        return new ViewBuilder<ColumnOf>(name)
                .with("object_id", Types.INT, c -> c.table.id())
                .with("name", Types.SYSNAME, c -> c.column.name())
                .with("column_id", Types.INT, ColumnOf::ordinal)
                .with("system_type_id", Types.TINYINT, c ->
                        (short) c.type().name().id())
                .with("user_type_id", Types.INT, c -> c.type().name().id())
                .with("max_length", Types.SMALLINT, c -> (short) TypeCatalog.maxLength(c.type()))
                .with("precision", Types.TINYINT, c -> (short) TypeCatalog.precision(c.type()))
                .with("scale", Types.TINYINT, c -> (short) TypeCatalog.scale(c.type()))
                .with("collation_name", Types.SYSNAME, c -> Types.isText(c.type()) ? SystemViews.COLLATION : null)
                .with("is_nullable", Types.BIT, c -> c.column.nullable())
                .with("is_identity", Types.BIT, c -> c.column.identity() != null)
                .with("is_computed", Types.BIT, c -> false)
                .with("default_object_id", Types.INT, c -> c.column.defaultValue() == null ? 0 : 1)
                .over(() -> allColumns(database).stream()
                        .filter(c -> !identityOnly || c.column.identity() != null)
                        .toList());
    }

    static List<ColumnOf> allColumns(Database database) {
        List<ColumnOf> all = new ArrayList<>();
        for (Table table : database.tables()) {
            for (int i = 0; i < table.columns().size(); i++) {
                all.add(new ColumnOf(table, table.columns().get(i), i + 1));
            }
        }
        return all;
    }

    private static Relation.SystemView indexes(Database database) {
        return new ViewBuilder<ConstraintOf>("sys.indexes")
                .with("object_id", Types.INT, i -> i.table.id())
                .with("name", Types.SYSNAME, i -> i.constraint.name())
                .with("index_id", Types.INT, i -> indexId(i.table, i.constraint))
                .with("type", Types.TINYINT, i -> (short) (isPrimary(i.constraint) ? 1 : 2))
                .with("type_desc", Types.nvarchar(60), i -> isPrimary(i.constraint) ? "CLUSTERED" : "NONCLUSTERED")
                .with("is_unique", Types.BIT, i -> i.constraint.isKey())
                .with("is_primary_key", Types.BIT, i -> isPrimary(i.constraint))
                .with("is_unique_constraint", Types.BIT, i -> i.constraint.kind() == Constraint.Kind.UNIQUE)
                .over(() -> allConstraints(database).stream()
                        .filter(i -> isIndex(i.constraint))
                        .toList());
    }

    private static boolean isPrimary(Constraint constraint) {
        return constraint.kind() == Constraint.Kind.PRIMARY_KEY;
    }

    public static boolean isIndex(Constraint constraint) {
        return constraint.isKey() || constraint.kind() == Constraint.Kind.INDEX;
    }

    private static int indexId(Table table, Constraint index) {
        if (isPrimary(index)) {
            return 1;
        }
        int id = 1;
        for (Constraint constraint : table.constraints()) {
            if (isIndex(constraint) && !isPrimary(constraint)) {
                id++;
            }
            if (constraint.equals(index)) {
                break;
            }
        }
        return id;
    }

    private static List<ConstraintOf> allConstraints(Database database) {
        List<ConstraintOf> all = new ArrayList<>();
        for (Table table : database.tables()) {
            table.constraints().forEach(constraint -> all.add(new ConstraintOf(table, constraint)));
        }
        return all;
    }

    private static Relation.SystemView indexColumns(Database database) {
        return new ViewBuilder<IndexColumn>("sys.index_columns")
                .with("object_id", Types.INT, c -> c.table.id())
                .with("index_id", Types.INT, c -> indexId(c.table, c.index))
                .with("index_column_id", Types.INT, IndexColumn::ordinal)
                .with("column_id", Types.INT, c -> columnId(c.table, c.column))
                .with("key_ordinal", Types.TINYINT, c -> (short) c.ordinal)
                .with("is_descending_key", Types.BIT, c -> false)
                .with("is_included_column", Types.BIT, c -> false)
                .over(() -> {
                    List<IndexColumn> all = new ArrayList<>();
                    for (ConstraintOf index : allConstraints(database)) {
                        for (int i = 0;
                                isIndex(index.constraint)
                                        && i < index.constraint.columns().size();
                                i++) {
                            String column = index.constraint.columns().get(i);
                            all.add(new IndexColumn(index.table, index.constraint, column, i + 1));
                        }
                    }
                    return all;
                });
    }

    private static int columnId(Table table, String name) {
        for (int i = 0; i < table.columns().size(); i++) {
            if (table.columns().get(i).name().equalsIgnoreCase(name)) {
                return i + 1;
            }
        }
        return 0;
    }

    private static Relation.SystemView constraints(String name, Database database) {
        return new ViewBuilder<ConstraintOf>("sys." + name)
                .with("name", Types.SYSNAME, c -> c.constraint.name())
                .with("object_id", Types.INT, c -> c.constraint.id())
                .with("schema_id", Types.INT, c -> SystemViews.schemaId(c.table.schema()))
                .with("parent_object_id", Types.INT, c -> c.table.id())
                .with("type", Types.varchar(2), c -> kind(c.constraint)[0])
                .with("type_desc", Types.nvarchar(60), c -> kind(c.constraint)[1])
                .with("referenced_object_id", Types.INT, c -> c.constraint.target())
                .with("key_index_id", Types.INT, c -> 1)
                .with("is_disabled", Types.BIT, c -> false)
                .with("is_not_trusted", Types.BIT, c -> false)
                .with("delete_referential_action", Types.TINYINT, c -> (short) 0)
                .with("delete_referential_action_desc", Types.nvarchar(60), c -> "NO_ACTION")
                .with("update_referential_action", Types.TINYINT, c -> (short) 0)
                .with("update_referential_action_desc", Types.nvarchar(60), c -> "NO_ACTION")
                .with("unique_index_id", Types.INT, c -> indexId(c.table, c.constraint))
                .with("definition", Types.nvarchar(4000), c -> c.constraint.text())
                .over(() -> allConstraints(database).stream()
                        .filter(c -> belongs(name, c.constraint))
                        .toList());
    }

    private static boolean belongs(String view, Constraint constraint) {
        return switch (constraint.kind()) {
            case PRIMARY_KEY, UNIQUE -> view.equals("key_constraints");
            case FOREIGN_KEY -> view.equals("foreign_keys");
            case CHECK -> view.equals("check_constraints");
            case UNIQUE_INDEX, INDEX -> false;
        };
    }

    private static Relation.SystemView modules(Database database) {
        return new ViewBuilder<Procedure>("sys.sql_modules")
                .with("object_id", Types.INT, Procedure::id)
                .with("definition", Types.nvarchar(4000), Procedure::text)
                .with("uses_quoted_identifier", Types.BIT, Procedure::quotedIdentifier)
                .over(database::procedures);
    }
}
