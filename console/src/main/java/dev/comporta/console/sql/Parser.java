package dev.comporta.console.sql;

import dev.comporta.console.names.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses a text into its statements. They are separated by semicolons, by line breaks, or by nothing where T-SQL needs no
 * separator. An error anywhere in the text is an error of all of it: nothing runs before everything is parsed.
 */
public final class Parser {
    private final TokenReader reader;
    private final QueryParser queries;
    private final CommandParser commands;

    private Parser(String text, Map<String, String> parameters) {
        this.reader = new TokenReader(text);
        this.queries = new QueryParser(reader);
        this.commands = new CommandParser(reader, parameters);
    }

    /** @throws SqlError at the place of a syntax error */
    public static List<Statement> parse(String text) {
        return parse(text, Map.of());
    }

    /**
     * @param parameters values that options of a server may refer to, by name in lower case with its {@code @}
     * @throws SqlError at the place of a syntax error
     */
    public static List<Statement> parse(String text, Map<String, String> parameters) {
        return new Parser(text, parameters).statements();
    }

    private List<Statement> statements() {
        List<Statement> statements = new ArrayList<>();
        while (true) {
            skipSeparators();
            if (reader.peek().kind() == Token.Kind.END) {
                return statements;
            }
            statements.add(statement(statements.isEmpty()));
        }
    }

    private void skipSeparators() {
        while (reader.acceptSymbol(";") || reader.accept("GO")) {
            // An empty statement.
        }
    }

    private Statement statement(boolean first) {
        reader.deeper();
        Statement statement = dispatch(first);
        reader.shallower();
        return statement;
    }

    private Statement dispatch(boolean first) {
        Token token = reader.peek();
        if (token.kind() != Token.Kind.WORD) {
            throw reader.expected("a statement");
        }
        Position at = token.at();
        return switch (Words.upper(token)) {
            case "SELECT" -> new Statement.Select(at, queries.query());
            case "SHOW" -> show(at);
            case "SET" -> set(at);
            case "USE" -> use(at);
            case "IF" -> ifElse(at);
            case "BEGIN" -> begin(at);
            case "COMMIT", "ROLLBACK", "SAVE" -> transaction(at);
            case "DECLARE" -> declare(at);
            case "INSERT" -> insert(at);
            case "EXEC", "EXECUTE" -> exec(at);
            default -> {
                Statement command = commands.command();
                if (command != null) {
                    yield command;
                }
                // The first statement may be a call without EXEC.
                if (first && token.text().toLowerCase(Locale.ROOT).startsWith("sp_")) {
                    yield call(at);
                }
                throw unknown(token);
            }
        };
    }

    private static SqlError unknown(Token token) {
        String word = Words.upper(token);
        if (Words.CHANGES.contains(word)) {
            return readOnly(token.at(), word);
        }
        String nearest = Words.isReserved(token)
                ? ""
                : NearestName.among(Words.COMMANDS, word)
                        .map(name -> " Did you mean " + name + "?")
                        .orElse("");
        return new SqlError(
                102,
                token.at(),
                "Incorrect syntax near " + token.shown() + ": expected a statement." + nearest
                        + " SHOW HELP lists all statements.");
    }

    static SqlError readOnly(Position at, String word) {
        return new SqlError(
                3906,
                at,
                word + " is not possible: the console is read-only. It knows SELECT, SHOW and commands; SHOW HELP lists"
                        + " them.");
    }

    private Statement show(Position at) {
        reader.take();
        String thing = reader.word("what to show, such as POOLS (SHOW HELP lists all)", "");
        return new Statement.Show(at, thing.toUpperCase(Locale.ROOT));
    }

    private Statement set(Position at) {
        reader.take();
        Token token = reader.peek();
        if (token.kind() == Token.Kind.VARIABLE) {
            reader.take();
            reader.expectSymbol("=");
            Expr value = queries.expressions().expression();
            return new Statement.Assign(at, token.text().toLowerCase(Locale.ROOT), value);
        }
        if (token.kind() == Token.Kind.WORD && Words.IGNORED_OPTIONS.contains(Words.upper(token))) {
            return commands.ignoredSet(at);
        }
        return commands.setKey(at);
    }

    private Statement use(Position at) {
        reader.take();
        return new Statement.Use(at, reader.word("the name of a database", ""));
    }

    private Statement ifElse(Position at) {
        reader.take();
        Expr condition = queries.expressions().expression();
        Statement then = statement(false);
        Statement otherwise = null;
        if (reader.peek().isSymbol(";") && reader.peek(1).is("ELSE")) {
            reader.take();
        }
        if (reader.accept("ELSE")) {
            otherwise = statement(false);
        }
        return new Statement.If(at, condition, then, otherwise);
    }

    private Statement begin(Position at) {
        if (reader.peek(1).is("TRAN") || reader.peek(1).is("TRANSACTION")) {
            return transaction(at);
        }
        reader.take();
        List<Statement> statements = new ArrayList<>();
        while (true) {
            skipSeparators();
            if (reader.accept("END")) {
                return new Statement.Block(at, statements);
            }
            if (reader.peek().kind() == Token.Kind.END) {
                throw reader.expected("END");
            }
            statements.add(statement(false));
        }
    }

    // Nothing here can be rolled back: a transaction has no effect.
    private Statement transaction(Position at) {
        reader.take();
        boolean named = reader.accept("TRAN") || reader.accept("TRANSACTION");
        if (!named) {
            reader.accept("WORK");
        } else if ((reader.peek().isName() && !Words.isReserved(reader.peek()) && reader.lineGoesOn())
                || reader.peek().kind() == Token.Kind.VARIABLE) {
            reader.take();
        }
        if (reader.at("WITH") && reader.peek(1).isSymbol("(")) {
            while (reader.peek().kind() != Token.Kind.END && !reader.peek().isSymbol(")")) {
                reader.take();
            }
            reader.expectSymbol(")");
        }
        return new Statement.Ignored(at);
    }

    private Statement declare(Position at) {
        reader.take();
        List<Statement> declared = new ArrayList<>();
        do {
            declared.add(declareOne(at));
        } while (reader.acceptSymbol(","));
        return declared.size() == 1 ? declared.getFirst() : new Statement.Block(at, declared);
    }

    private Statement declareOne(Position at) {
        String variable = variable();
        reader.accept("AS");
        if (!reader.accept("TABLE")) {
            TypeName type = queries.primaries().type();
            Expr value = reader.acceptSymbol("=") ? queries.expressions().expression() : null;
            return new Statement.DeclareValue(at, variable, type, value);
        }
        reader.expectSymbol("(");
        List<Statement.ColumnDefinition> columns = new ArrayList<>();
        do {
            String name = reader.expectName("the name of a column");
            columns.add(new Statement.ColumnDefinition(name, queries.primaries().type()));
            if (reader.accept("COLLATE")) {
                reader.expectName("the name of a collation");
            }
            reader.accept("NOT");
            reader.accept("NULL");
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        return new Statement.DeclareTable(at, variable, columns);
    }

    private String variable() {
        return reader.expect(Token.Kind.VARIABLE, "a variable such as @name")
                .text()
                .toLowerCase(Locale.ROOT);
    }

    private Statement insert(Position at) {
        reader.take();
        reader.accept("INTO");
        if (reader.peek().kind() != Token.Kind.VARIABLE) {
            throw readOnly(at, "INSERT");
        }
        String variable = variable();
        Token token = reader.peek();
        if (!token.is("EXEC") && !token.is("EXECUTE")) {
            throw reader.expected("EXEC");
        }
        return new Statement.InsertExec(at, variable, exec(token.at()));
    }

    private Statement.Exec exec(Position at) {
        reader.take();
        if (reader.peek().kind() == Token.Kind.VARIABLE && reader.peek(1).isSymbol("=")) {
            // The variable for the return status is ignored: the status is always 0.
            reader.take();
            reader.take();
        }
        return call(at);
    }

    private Statement.Exec call(Position at) {
        while (reader.acceptSymbol(".")) {
            // ..sp_tables: the current database, the default schema.
        }
        String procedure =
                queries.primaries().nameParts("the name of a procedure").getLast();
        List<Statement.Argument> arguments = new ArrayList<>();
        if (argumentFollows()) {
            do {
                arguments.add(argument());
            } while (reader.acceptSymbol(","));
        }
        return new Statement.Exec(at, procedure.toLowerCase(Locale.ROOT), arguments);
    }

    private boolean argumentFollows() {
        Token token = reader.peek();
        return switch (token.kind()) {
            case STRING, NUMBER, VARIABLE, GLOBAL, QUOTED_NAME -> true;
            case WORD -> !token.beginsLine() && (!Words.isReserved(token) || token.is("NULL"));
            case SYMBOL -> token.isSymbol("-");
            case END -> false;
        };
    }

    private Statement.Argument argument() {
        @Nullable String name = null;
        if (reader.peek().kind() == Token.Kind.VARIABLE && reader.peek(1).isSymbol("=")) {
            name = variable();
            reader.take();
        }
        Token token = reader.peek();
        Expr value;
        if (token.is("DEFAULT")) {
            value = new Expr.Literal(reader.take().at(), null);
        } else if (token.isName() && !token.is("NULL")) {
            // A bare word is text: EXEC sp_help clients.
            value = new Expr.Literal(reader.take().at(), token.text());
        } else {
            value = queries.expressions().expression();
        }
        if (!reader.accept("OUTPUT")) {
            reader.accept("OUT");
        }
        return new Statement.Argument(name, value);
    }
}
