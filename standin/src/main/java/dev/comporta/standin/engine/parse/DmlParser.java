package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.ast.TableElement;
import dev.comporta.standin.engine.parse.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** INSERT, UPDATE, DELETE, TRUNCATE, INSERT BULK, and the queries that begin with WITH. */
record DmlParser(TokenReader reader, QueryParser queries, ProcedureParser procedures) {
    private record Where(@Nullable Condition condition, String currentOf) {}

    Statement with(int line) {
        reader.next();
        List<Query.Cte> with = queries.commonTables();
        if (reader.isWord("INSERT")) {
            return insert(line, with);
        }
        if (!reader.isWord("SELECT") && !reader.isSymbol("(")) {
            throw SqlError.unsupported("WITH before " + reader.peek().upper()).at(reader.line());
        }
        return new Statement.Select(line, queries.query(with));
    }

    Statement insert(int line, List<Query.Cte> with) {
        reader.next();
        if (reader.skipWord("BULK")) {
            return insertBulk(line);
        }
        if (reader.isWord("TOP")) {
            throw SqlError.unsupported("INSERT TOP").at(line);
        }
        reader.skipWord("INTO");
        ObjectName table = target();
        queries.froms().skipHints();
        List<String> columns =
                reader.isSymbol("(") && !reader.peek(1).isWord("SELECT") ? reader.identifierList() : List.of();
        List<Statement.OutputItem> output = output();
        if (reader.skipWords("DEFAULT", "VALUES")) {
            return new Statement.Insert(line, table, columns, null, null, output);
        }
        if (reader.isWord("EXEC") || reader.isWord("EXECUTE")) {
            if (procedures.exec(line) instanceof Statement.Execute execute) {
                return new Statement.Insert(line, table, columns, null, execute, output);
            }
            throw SqlError.unsupported("INSERT of EXEC('text')").at(line);
        }
        Query query = reader.isWord("WITH") ? queries.query() : queries.query(with);
        return new Statement.Insert(line, table, columns, query, null, output);
    }

    private ObjectName target() {
        return reader.peek().kind() == Kind.VARIABLE
                ? new ObjectName("", "", reader.next().text())
                : reader.expectObjectName();
    }

    private List<Statement.OutputItem> output() {
        if (!reader.skipWord("OUTPUT")) {
            return List.of();
        }
        List<Statement.OutputItem> items = new ArrayList<>();
        do {
            Token side = reader.peek();
            if (!side.isWord("INSERTED")) {
                throw SqlError.unsupported("OUTPUT of anything but INSERTED's columns")
                        .at(side.line());
            }
            Expr expr = queries.exprs().expr();
            String alias = reader.skipWord("AS") ? reader.expectAlias() : "";
            items.add(new Statement.OutputItem(true, expr, alias));
        } while (reader.skipSymbol(","));
        if (reader.isWord("INTO")) {
            throw SqlError.unsupported("OUTPUT INTO").at(reader.line());
        }
        return items;
    }

    private Statement insertBulk(int line) {
        ObjectName table = reader.expectObjectName();
        List<TableElement.ColumnDef> columns = new ArrayList<>();
        if (reader.skipSymbol("(")) {
            do {
                String name = reader.expectIdentifier();
                var type = new TypeParser(reader).parse(1);
                if (reader.skipWord("COLLATE")) {
                    reader.next();
                }
                columns.add(new TableElement.ColumnDef(name, type, null, null, null, "", List.of()));
            } while (reader.skipSymbol(","));
            reader.expectSymbol(")");
        }
        if (reader.skipWord("WITH")) {
            reader.skipParentheses();
        }
        return new Statement.InsertBulk(line, table, columns);
    }

    Statement update(int line) {
        reader.next();
        Query.Top top = queries.top();
        ObjectName table = target();
        queries.froms().skipHints();
        reader.expectWord("SET");
        List<Statement.SetClause> clauses = reader.list(this::setClause);
        if (reader.isWord("OUTPUT")) {
            throw SqlError.unsupported("OUTPUT of an UPDATE").at(reader.line());
        }
        List<Query.From> from = reader.skipWord("FROM") ? queries.froms().fromList() : List.of();
        Where where = where();
        return new Statement.Update(line, top, table, clauses, from, where.condition, where.currentOf);
    }

    private Statement.SetClause setClause() {
        if (reader.peek().kind() == Kind.VARIABLE) {
            String variable = reader.next().text();
            reader.expectSymbol("=");
            return new Statement.SetClause("", variable, queries.exprs().expr());
        }
        List<String> path = new ArrayList<>();
        path.add(reader.expectIdentifier());
        while (reader.skipSymbol(".")) {
            path.add(reader.expectIdentifier());
        }
        String column = path.getLast();
        Token operator = reader.next();
        Expr value = reader.skipWord("DEFAULT")
                ? new Expr.Call(Statement.DEFAULT_MARK, List.of(), false, null)
                : queries.exprs().expr();
        if (operator.isSymbol("=")) {
            return new Statement.SetClause(column, "", value);
        }
        boolean compound = operator.kind() == Kind.SYMBOL
                && operator.text().length() == 2
                && operator.text().endsWith("=");
        if (!compound || "<>!".indexOf(operator.text().charAt(0)) >= 0) {
            throw SqlError.syntax(operator.text(), operator.line());
        }
        Expr current = new Expr.ColumnRef(List.of(), column);
        return new Statement.SetClause(
                column, "", new Expr.Binary(operator.text().charAt(0), current, value));
    }

    Statement delete(int line) {
        reader.next();
        Query.Top top = queries.top();
        reader.skipWord("FROM");
        ObjectName table = target();
        queries.froms().skipHints();
        if (reader.isWord("OUTPUT")) {
            throw SqlError.unsupported("OUTPUT of a DELETE").at(reader.line());
        }
        List<Query.From> from = reader.skipWord("FROM") ? queries.froms().fromList() : List.of();
        Where where = where();
        return new Statement.Delete(line, top, table, from, where.condition, where.currentOf);
    }

    private Where where() {
        if (!reader.skipWord("WHERE")) {
            return new Where(null, "");
        }
        if (reader.skipWords("CURRENT", "OF")) {
            reader.skipWord("GLOBAL");
            return new Where(null, reader.expectIdentifier());
        }
        Condition condition = queries.exprs().condition();
        if (reader.skipWord("OPTION")) {
            reader.skipParentheses();
        }
        return new Where(condition, "");
    }

    Statement truncate(int line) {
        reader.next();
        reader.expectWord("TABLE");
        return new Statement.Truncate(line, reader.expectObjectName());
    }
}
