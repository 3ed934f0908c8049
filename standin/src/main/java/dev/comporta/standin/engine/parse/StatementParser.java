package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses statements and control of flow. */
final class StatementParser {
    private final TokenReader reader;
    private final QueryParser queries;
    private final ExprParser exprs;
    private final DmlParser dml;
    private final DdlParser ddl;
    private final ProcedureParser procedures;
    private final SetParser sets;
    private final CursorParser cursors;

    StatementParser(TokenReader reader) {
        this.reader = reader;
        this.queries = new QueryParser(reader);
        this.exprs = queries.exprs();
        this.procedures = new ProcedureParser(reader, queries);
        this.dml = new DmlParser(reader, queries, procedures);
        this.ddl = new DdlParser(reader, queries);
        this.sets = new SetParser(reader, queries);
        this.cursors = new CursorParser(reader, queries);
    }

    List<Statement> batch() {
        List<Statement> statements = new ArrayList<>();
        skipSemicolons();
        if (reader.isIdentifier() && startsBareCall()) {
            statements.add(procedures.execute(reader.line()));
        }
        while (true) {
            skipSemicolons();
            if (reader.atEnd()) {
                return statements;
            }
            statements.add(statement());
        }
    }

    /** A batch may begin with a procedure's name alone; words that begin statements are not such names. */
    private boolean startsBareCall() {
        return !reader.isWord("THROW") && !reader.peek(1).isSymbol(":");
    }

    private void skipSemicolons() {
        while (reader.skipSymbol(";")) {
            // Skip empty statements.
        }
    }

    private Statement statement() {
        Token token = reader.peek();
        int line = token.line();
        if (token.kind() == Kind.SYMBOL && token.isSymbol("(") && queries.atQuery()) {
            return new Statement.Select(line, queries.query());
        }
        if (token.isSymbol("{")) {
            return procedures.odbcCall(line);
        }
        if (token.kind() != Kind.WORD) {
            throw reader.unexpected();
        }
        Statement statement = flow(token, line);
        return statement != null ? statement : other(token, line);
    }

    private @Nullable Statement flow(Token token, int line) {
        return switch (token.upper()) {
            case "BEGIN" -> begin(line);
            case "IF" -> ifStatement(line);
            case "WHILE" -> whileStatement(line);
            case "BREAK" -> skip(new Statement.Break(line));
            case "CONTINUE" -> skip(new Statement.Continue(line));
            case "RETURN" -> returnStatement(line);
            case "DECLARE" -> declare(line);
            case "PRINT" -> print(line);
            case "RAISERROR" -> raiserror(line);
            case "THROW" -> throwStatement(line);
            case "WAITFOR" -> waitfor(line);
            case "USE" -> use(line);
            case "COMMIT", "ROLLBACK", "SAVE" -> TransactionParser.end(reader, line);
            default -> null;
        };
    }

    private Statement other(Token token, int line) {
        return switch (token.upper()) {
            case "SELECT" -> new Statement.Select(line, queries.query());
            case "WITH" -> dml.with(line);
            case "INSERT" -> dml.insert(line, List.of());
            case "UPDATE" -> dml.update(line);
            case "DELETE" -> dml.delete(line);
            case "TRUNCATE" -> dml.truncate(line);
            case "CREATE", "ALTER" -> createOrAlter(line);
            case "DROP" -> ddl.drop(line);
            case "EXEC", "EXECUTE" -> procedures.exec(line);
            case "SET" -> sets.set(line);
            case "DBCC" -> sets.dbcc(line);
            case "OPEN", "FETCH", "CLOSE", "DEALLOCATE" -> cursors.statement(line);
            case "GRANT", "REVOKE", "DENY", "CHECKPOINT" -> ignored(line);
            default -> throw reader.unexpected();
        };
    }

    private Statement skip(Statement statement) {
        reader.next();
        return statement;
    }

    private Statement createOrAlter(int line) {
        Token first = reader.peek();
        boolean alter = first.isWord("ALTER");
        int offset = !alter && reader.peek(1).isWord("OR") && reader.peek(2).isWord("ALTER") ? 3 : 1;
        Token kind = reader.peek(offset);
        if (!kind.isWord("PROCEDURE") && !kind.isWord("PROC")) {
            return ddl.createOrAlter(line);
        }
        for (int i = 0; i <= offset; i++) {
            reader.next();
        }
        var name = reader.expectObjectName();
        List<Statement.ParameterDef> parameters = procedures.parameters();
        procedures.skipOptions();
        reader.expectWord("AS");
        List<Statement> body = batchRest();
        return new Statement.CreateProcedure(line, name, parameters, body, alter, offset == 3, reader.textSince(first));
    }

    private List<Statement> batchRest() {
        List<Statement> body = new ArrayList<>();
        skipSemicolons();
        while (!reader.atEnd()) {
            body.add(statement());
            skipSemicolons();
        }
        if (body.isEmpty()) {
            throw reader.unexpected();
        }
        return body;
    }

    private Statement begin(int line) {
        if (reader.peek(1).isWord("TRAN")
                || reader.peek(1).isWord("TRANSACTION")
                || reader.peek(1).isWord("DISTRIBUTED")) {
            return TransactionParser.begin(reader, line);
        }
        reader.next();
        if (reader.skipWord("TRY")) {
            List<Statement> body = until("TRY");
            skipSemicolons();
            reader.expectWord("BEGIN");
            reader.expectWord("CATCH");
            return new Statement.TryCatch(line, body, until("CATCH"));
        }
        List<Statement> body = until("");
        if (body.isEmpty()) {
            throw reader.unexpected();
        }
        return new Statement.Block(line, body);
    }

    private List<Statement> until(String kind) {
        List<Statement> body = new ArrayList<>();
        skipSemicolons();
        while (!reader.isWord("END")) {
            if (reader.atEnd()) {
                throw reader.unexpected();
            }
            body.add(statement());
            skipSemicolons();
        }
        reader.next();
        if (!kind.isEmpty()) {
            reader.expectWord(kind);
        }
        return body;
    }

    private Statement ifStatement(int line) {
        reader.next();
        Condition condition = exprs.condition();
        skipSemicolons();
        Statement then = statement();
        int position = reader.position();
        skipSemicolons();
        if (reader.skipWord("ELSE")) {
            skipSemicolons();
            return new Statement.If(line, condition, then, statement());
        }
        reader.back(position);
        return new Statement.If(line, condition, then, null);
    }

    private Statement whileStatement(int line) {
        reader.next();
        Condition condition = exprs.condition();
        skipSemicolons();
        return new Statement.While(line, condition, statement());
    }

    private Statement returnStatement(int line) {
        reader.next();
        return new Statement.Return(line, startsExpression() ? exprs.expr() : null);
    }

    private boolean startsExpression() {
        Token token = reader.peek();
        return switch (token.kind()) {
            case INTEGER, DECIMAL, VARIABLE, GLOBAL, STRING, NATIONAL_STRING -> true;
            case SYMBOL -> token.isSymbol("(") || token.isSymbol("-");
            case WORD -> token.isWord("CASE") || (reader.peek(1).isSymbol("(") && !Keywords.isReserved(token));
            default -> false;
        };
    }

    private Statement declare(int line) {
        reader.next();
        if (reader.isIdentifier()) {
            return cursors.declare(line);
        }
        List<Statement> declarations = new ArrayList<>();
        do {
            String name = reader.expectVariable();
            reader.skipWord("AS");
            if (reader.skipWord("TABLE")) {
                declarations.add(new Statement.DeclareTable(line, name, ddl.tableElements()));
                continue;
            }
            if (reader.isWord("CURSOR")) {
                throw SqlError.unsupported("a cursor variable").at(reader.line());
            }
            SqlType type = new TypeParser(reader).parse(1);
            Expr value = reader.skipSymbol("=") ? exprs.expr() : null;
            declarations.add(new Statement.Declare(line, name, type, value));
        } while (reader.skipSymbol(","));
        return declarations.size() == 1 ? declarations.getFirst() : new Statement.Block(line, declarations);
    }

    private Statement print(int line) {
        reader.next();
        return new Statement.Print(line, exprs.expr());
    }

    private Statement raiserror(int line) {
        reader.next();
        List<Expr> arguments = reader.inParentheses(exprs::exprList);
        if (arguments.size() < 3) {
            throw reader.unexpected();
        }
        boolean setError = false;
        boolean noWait = false;
        if (reader.skipWord("WITH")) {
            do {
                setError |= reader.isWord("SETERROR");
                noWait |= reader.isWord("NOWAIT");
                if (!reader.isWord("SETERROR") && !reader.isWord("NOWAIT") && !reader.isWord("LOG")) {
                    throw reader.unexpected();
                }
                reader.next();
            } while (reader.skipSymbol(","));
        }
        return new Statement.Raiserror(
                line,
                arguments.get(0),
                arguments.get(1),
                arguments.get(2),
                arguments.subList(3, arguments.size()),
                setError,
                noWait);
    }

    private Statement throwStatement(int line) {
        reader.next();
        if (!startsExpression()) {
            return new Statement.Throw(line, null, null, null);
        }
        Expr number = exprs.expr();
        reader.expectSymbol(",");
        Expr message = exprs.expr();
        reader.expectSymbol(",");
        return new Statement.Throw(line, number, message, exprs.expr());
    }

    private Statement waitfor(int line) {
        reader.next();
        boolean time = reader.skipWord("TIME");
        if (!time) {
            reader.expectWord("DELAY");
        }
        return new Statement.Waitfor(line, time, exprs.expr());
    }

    private Statement use(int line) {
        reader.next();
        return new Statement.Use(line, reader.expectIdentifier());
    }

    /** Permissions are not implemented: every login may do everything, so granting changes nothing. */
    private Statement ignored(int line) {
        reader.next();
        while (!reader.atEnd() && !reader.isSymbol(";") && reader.line() == line) {
            reader.next();
        }
        return new Statement.Nothing(line);
    }
}
