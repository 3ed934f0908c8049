package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Token.Kind;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** SET of variables and options, and DBCC. */
record SetParser(TokenReader reader, QueryParser queries) {
    private static final Set<String> SWITCHES = Keywords.words("""
            ANSI_DEFAULTS ANSI_NULLS ANSI_NULL_DFLT_OFF ANSI_NULL_DFLT_ON ANSI_PADDING ANSI_WARNINGS ARITHABORT
            ARITHIGNORE CONCAT_NULL_YIELDS_NULL CURSOR_CLOSE_ON_COMMIT FMTONLY FORCEPLAN IMPLICIT_TRANSACTIONS NOCOUNT
            NOEXEC NUMERIC_ROUNDABORT PARSEONLY QUOTED_IDENTIFIER REMOTE_PROC_TRANSACTIONS SHOWPLAN_ALL SHOWPLAN_TEXT
            SHOWPLAN_XML XACT_ABORT
            """);
    private static final Set<String> VALUES = Keywords.words("""
            CONTEXT_INFO DATEFIRST DATEFORMAT DEADLOCK_PRIORITY LANGUAGE LOCK_TIMEOUT QUERY_GOVERNOR_COST_LIMIT ROWCOUNT
            TEXTSIZE
            """);

    private static final List<String> ISOLATION_LEVELS =
            List.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT");

    Statement set(int line) {
        reader.next();
        Token token = reader.peek();
        if (token.kind() == Kind.VARIABLE) {
            return assignment(line);
        }
        if (reader.skipWords("TRANSACTION", "ISOLATION", "LEVEL")) {
            return isolation(line);
        }
        if (reader.skipWord("IDENTITY_INSERT")) {
            ObjectName table = reader.expectObjectName();
            return new Statement.SetIdentityInsert(line, table, onOrOff());
        }
        if (reader.skipWord("STATISTICS")) {
            List<String> options =
                    reader.list(() -> "STATISTICS " + reader.next().upper());
            return new Statement.SetOptions(line, options, onOrOff());
        }
        if (VALUES.contains(token.upper())) {
            reader.next();
            if (reader.habits().isBabelfish() && reader.peek().kind() == Kind.NATIONAL_STRING) {
                throw reader.unexpected();
            }
            return new Statement.SetValue(line, token.upper(), value());
        }
        return switches(line);
    }

    private Statement switches(int line) {
        List<String> options = reader.list(() -> {
            Token option = reader.peek();
            if (SWITCHES.contains(option.upper())) {
                return reader.next().upper();
            }
            if (!reader.isIdentifier()) {
                throw reader.unexpected();
            }
            String text = "'" + option.text() + "' is not a recognized SET option.";
            throw new SqlError(195, 15, 5, SqlError.Effect.BATCH, text).at(line);
        });
        return new Statement.SetOptions(line, options, onOrOff());
    }

    private boolean onOrOff() {
        if (reader.skipWord("ON")) {
            return true;
        }
        reader.expectWord("OFF");
        return false;
    }

    private Statement assignment(int line) {
        String variable = reader.next().text();
        Token operator = reader.next();
        if (operator.isSymbol("=")) {
            return new Statement.Assign(line, variable, queries.exprs().expr());
        }
        boolean compound = operator.kind() == Kind.SYMBOL
                && operator.text().length() == 2
                && "+-*/%&|^".indexOf(operator.text().charAt(0)) >= 0
                && operator.text().endsWith("=");
        if (!compound) {
            throw SqlError.syntax(operator.text(), operator.line());
        }
        Expr value = new Expr.Binary(
                operator.text().charAt(0),
                new Expr.Variable(variable),
                queries.exprs().expr());
        return new Statement.Assign(line, variable, value);
    }

    private Statement isolation(int line) {
        for (String level : ISOLATION_LEVELS) {
            if (reader.skipWords(level.split(" ", -1))) {
                return new Statement.SetIsolation(line, level);
            }
        }
        throw reader.unexpected();
    }

    /** A value that may be a bare word: SET LANGUAGE us_english, SET DATEFORMAT mdy, SET DEADLOCK_PRIORITY LOW. */
    private Expr value() {
        Token token = reader.peek();
        if (token.isIdentifier() && !Keywords.isReserved(token)) {
            String text = reader.next().text();
            return new Expr.Literal(Types.nvarchar(Math.max(1, text.length())), text);
        }
        return queries.exprs().expr();
    }

    Statement dbcc(int line) {
        reader.next();
        String command = reader.next().upper();
        List<Expr> arguments = new ArrayList<>();
        if (reader.skipSymbol("(")) {
            while (!reader.isSymbol(")")) {
                arguments.add(value());
                if (!reader.skipSymbol(",")) {
                    break;
                }
            }
            reader.expectSymbol(")");
        }
        if (reader.skipWord("WITH")) {
            reader.list(reader::expectIdentifier);
        }
        return new Statement.Dbcc(line, command, arguments);
    }
}
