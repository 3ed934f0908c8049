package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.ast.TableElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CREATE, ALTER and DROP of tables, indexes, views, schemas and databases. */
record DdlParser(TokenReader reader, QueryParser queries) {
    private static final Set<String> DROPPABLE = Set.of("TABLE", "VIEW", "PROCEDURE", "SCHEMA", "DATABASE");

    Statement createOrAlter(int line) {
        Token first = reader.next();
        boolean alter = first.isWord("ALTER") || reader.skipWords("OR", "ALTER");
        Token kind = reader.next();
        return switch (kind.upper()) {
            case "TABLE" -> alter ? alterTable(line) : createTable(line);
            case "VIEW" -> createView(line, first, alter);
            case "SCHEMA" -> new Statement.CreateSchema(line, schemaName());
            case "DATABASE" -> database(line, alter);
            case "INDEX", "UNIQUE", "CLUSTERED", "NONCLUSTERED" -> createIndex(line, kind);
            default ->
                throw SqlError.unsupported(first.upper() + " " + kind.upper()).at(line);
        };
    }

    private String schemaName() {
        String name = reader.expectIdentifier();
        if (reader.skipWord("AUTHORIZATION")) {
            reader.expectIdentifier();
        }
        return name;
    }

    private Statement database(int line, boolean alter) {
        if (alter) {
            throw SqlError.unsupported("ALTER DATABASE").at(line);
        }
        String name = reader.expectIdentifier();
        if (reader.skipWord("COLLATE")) {
            reader.next();
        }
        return new Statement.CreateDatabase(line, name);
    }

    private Statement createTable(int line) {
        ObjectName name = reader.expectObjectName();
        List<TableElement> elements = tableElements();
        if (reader.skipWord("ON")) {
            reader.next();
        }
        if (reader.skipWord("TEXTIMAGE_ON")) {
            reader.next();
        }
        reader.skipWithOptions();
        return new Statement.CreateTable(line, name, elements);
    }

    List<TableElement> tableElements() {
        List<TableElement> elements = new ArrayList<>();
        reader.expectSymbol("(");
        do {
            if (reader.isSymbol(")")) {
                break;
            }
            elements.add(element());
        } while (reader.skipSymbol(","));
        reader.expectSymbol(")");
        return elements;
    }

    private TableElement element() {
        boolean constraint = reader.isWord("CONSTRAINT")
                || reader.isWord("PRIMARY")
                || reader.isWord("UNIQUE")
                || reader.isWord("CHECK")
                || reader.isWord("FOREIGN");
        if (!constraint) {
            return column();
        }
        String name = reader.skipWord("CONSTRAINT") ? reader.expectIdentifier() : "";
        return constraint(name, List.of());
    }

    private TableElement.ColumnDef column() {
        // "timestamp" alone is a column of that name and type.
        boolean bareTimestamp = reader.isWord("TIMESTAMP") && !reader.peek(1).isIdentifier();
        String name = bareTimestamp ? reader.peek().text() : reader.expectIdentifier();
        if (reader.skipWord("AS")) {
            throw SqlError.unsupported("a computed column").at(reader.line());
        }
        SqlType type = new TypeParser(reader).parse(1);
        ColumnOptions options = new ColumnOptions();
        while (columnOption(name, options)) {
            // Each call reads one option.
        }
        return new TableElement.ColumnDef(
                name,
                type,
                options.nullable,
                options.identity,
                options.defaultValue,
                options.defaultText,
                options.constraints);
    }

    private static final class ColumnOptions {
        @Nullable
        Boolean nullable;

        TableElement.@Nullable Identity identity;

        @Nullable
        Expr defaultValue;

        String defaultText = "";
        final List<TableElement.Constraint> constraints = new ArrayList<>();
    }

    private boolean columnOption(String column, ColumnOptions options) {
        if (reader.skipWord("NULL")) {
            options.nullable = true;
        } else if (reader.skipWords("NOT", "NULL")) {
            options.nullable = false;
        } else if (reader.skipWord("IDENTITY")) {
            options.identity = identity();
            reader.skipWords("NOT", "FOR", "REPLICATION");
        } else if (reader.skipWord("COLLATE")) {
            reader.next();
        } else if (reader.skipWord("ROWGUIDCOL") || reader.skipWord("SPARSE")) {
            return true;
        } else if (reader.isWord("DEFAULT")) {
            readDefault(options);
        } else if (reader.isWord("CONSTRAINT") && reader.peek(2).isWord("DEFAULT")) {
            reader.next();
            reader.next();
            readDefault(options);
        } else if (reader.isWord("CONSTRAINT")) {
            reader.next();
            options.constraints.add(constraint(reader.expectIdentifier(), List.of(column)));
        } else if (reader.isWord("PRIMARY")
                || reader.isWord("UNIQUE")
                || reader.isWord("CHECK")
                || reader.isWord("REFERENCES")
                || reader.isWord("FOREIGN")) {
            options.constraints.add(constraint("", List.of(column)));
        } else {
            return false;
        }
        return true;
    }

    private void readDefault(ColumnOptions options) {
        reader.next();
        Token first = reader.peek();
        options.defaultValue = queries.exprs().expr();
        options.defaultText = reader.textSince(first);
    }

    private TableElement.Identity identity() {
        if (!reader.skipSymbol("(")) {
            return new TableElement.Identity(1, 1);
        }
        long seed = integer();
        reader.expectSymbol(",");
        long increment = integer();
        reader.expectSymbol(")");
        return new TableElement.Identity(seed, increment);
    }

    private long integer() {
        Expr expr = queries.exprs().expr();
        if (expr instanceof Expr.Literal literal && literal.value() instanceof Number number) {
            return number.longValue();
        }
        throw reader.unexpected();
    }

    private TableElement.Constraint constraint(String name, List<String> column) {
        if (reader.skipWords("PRIMARY", "KEY")) {
            return key(name, true, column);
        }
        if (reader.skipWord("UNIQUE")) {
            return key(name, false, column);
        }
        if (reader.skipWord("CHECK")) {
            Token first = reader.peek();
            Condition condition = reader.inParentheses(queries.exprs()::condition);
            return new TableElement.Check(name, condition, reader.textSince(first));
        }
        List<String> columns = column;
        if (reader.skipWords("FOREIGN", "KEY") && reader.isSymbol("(")) {
            columns = reader.identifierList();
        }
        reader.expectWord("REFERENCES");
        ObjectName target = reader.expectObjectName();
        List<String> targetColumns = reader.isSymbol("(") ? reader.identifierList() : List.of();
        boolean cascadeDelete = false;
        boolean cascadeUpdate = false;
        while (reader.skipWord("ON")) {
            boolean delete = reader.next().isWord("DELETE");
            boolean cascades = reader.skipWord("CASCADE");
            if (!cascades && !reader.skipWords("NO", "ACTION")) {
                throw SqlError.unsupported("SET NULL and SET DEFAULT").at(reader.line());
            }
            cascadeDelete |= delete && cascades;
            cascadeUpdate |= !delete && cascades;
        }
        return new TableElement.ForeignKey(name, columns, target, targetColumns, cascadeDelete, cascadeUpdate);
    }

    private TableElement.Key key(String name, boolean primary, List<String> column) {
        if (!reader.skipWord("CLUSTERED")) {
            reader.skipWord("NONCLUSTERED");
        }
        List<String> columns = reader.isSymbol("(") ? reader.identifierList() : column;
        skipIndexOptions();
        return new TableElement.Key(name, primary, columns);
    }

    private void skipIndexOptions() {
        reader.skipWithOptions();
        if (reader.isWord("ON")
                && (reader.peek(1).isWord("PRIMARY") || reader.peek(1).text().equals("PRIMARY"))) {
            reader.next();
            reader.next();
        }
    }

    private Statement alterTable(int line) {
        ObjectName table = reader.expectObjectName();
        boolean checks = reader.skipWords("WITH", "CHECK") || reader.skipWords("WITH", "NOCHECK");
        if (checks || reader.isWord("ADD")) {
            reader.expectWord("ADD");
            return new Statement.AlterTable(line, table, new Statement.Add(reader.list(this::element)));
        }
        if (reader.skipWords("ALTER", "COLUMN")) {
            String name = reader.expectIdentifier();
            SqlType type = new TypeParser(reader).parse(1);
            Boolean nullable =
                    reader.skipWord("NULL") ? Boolean.TRUE : reader.skipWords("NOT", "NULL") ? Boolean.FALSE : null;
            return new Statement.AlterTable(line, table, new Statement.AlterColumn(name, type, nullable));
        }
        reader.expectWord("DROP");
        if (reader.skipWord("COLUMN")) {
            List<String> columns = reader.list(reader::expectIdentifier);
            return new Statement.AlterTable(line, table, new Statement.DropColumns(columns));
        }
        reader.skipWord("CONSTRAINT");
        return new Statement.AlterTable(line, table, new Statement.DropConstraint(reader.expectIdentifier()));
    }

    private Statement createIndex(int line, Token first) {
        boolean unique = first.isWord("UNIQUE");
        if (!first.isWord("INDEX")) {
            if (!reader.skipWord("CLUSTERED")) {
                reader.skipWord("NONCLUSTERED");
            }
            reader.expectWord("INDEX");
        }
        String name = reader.expectIdentifier();
        reader.expectWord("ON");
        ObjectName table = reader.expectObjectName();
        List<String> columns = reader.identifierList();
        if (reader.skipWord("INCLUDE")) {
            reader.skipParentheses();
        }
        if (reader.isWord("WHERE")) {
            throw SqlError.unsupported("a filtered index").at(reader.line());
        }
        skipIndexOptions();
        return new Statement.CreateIndex(line, name, unique, table, columns);
    }

    private Statement createView(int line, Token first, boolean alter) {
        ObjectName name = reader.expectObjectName();
        List<String> columns = reader.isSymbol("(") ? reader.identifierList() : List.of();
        reader.expectWord("AS");
        Query query = queries.query();
        return new Statement.CreateView(line, name, columns, query, alter, reader.textSince(first));
    }

    Statement drop(int line) {
        reader.next();
        String kind = reader.next().upper();
        kind = kind.equals("PROC") ? "PROCEDURE" : kind;
        boolean index = kind.equals("INDEX");
        if (!index && !DROPPABLE.contains(kind)) {
            throw SqlError.unsupported("DROP " + kind).at(line);
        }
        boolean ifExists = reader.skipWords("IF", "EXISTS");
        if (index) {
            return dropIndex(line, ifExists);
        }
        return new Statement.Drop(line, kind, reader.list(reader::expectObjectName), ifExists);
    }

    /** DROP INDEX i ON t, or the older DROP INDEX t.i. */
    private Statement dropIndex(int line, boolean ifExists) {
        ObjectName name = reader.expectObjectName();
        if (reader.skipWord("ON")) {
            return new Statement.DropIndex(line, name.name(), reader.expectObjectName(), ifExists);
        }
        return new Statement.DropIndex(line, name.name(), new ObjectName("", name.database(), name.schema()), ifExists);
    }
}
