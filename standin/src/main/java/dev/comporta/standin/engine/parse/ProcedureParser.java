package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Token.Kind;
import dev.comporta.standin.engine.type.Types;
import java.util.List;

/** Declarations of parameters, and EXEC in its forms. */
record ProcedureParser(TokenReader reader, QueryParser queries) {
    private static final ObjectName NO_NAME = new ObjectName("", "", "");

    List<Statement.ParameterDef> parameters() {
        boolean parenthesised = reader.skipSymbol("(");
        List<Statement.ParameterDef> parameters =
                reader.peek().kind() == Kind.VARIABLE ? reader.list(this::parameter) : List.of();
        if (parenthesised) {
            reader.expectSymbol(")");
        }
        return parameters;
    }

    private Statement.ParameterDef parameter() {
        String name = reader.expectVariable();
        reader.skipWord("AS");
        SqlType type = new TypeParser(reader).parse(1);
        Expr defaultValue = reader.skipSymbol("=") ? constant() : null;
        boolean output = reader.skipWord("OUTPUT") || reader.skipWord("OUT");
        if (reader.isWord("READONLY")) {
            throw SqlError.unsupported("a table-valued parameter").at(reader.line());
        }
        return new Statement.ParameterDef(name, type, defaultValue, output);
    }

    void skipOptions() {
        if (reader.skipWord("WITH")) {
            reader.list(reader::expectIdentifier);
        }
    }

    Statement exec(int line) {
        reader.next();
        if (reader.isSymbol("(")) {
            return new Statement.ExecuteText(line, reader.inParentheses(queries.exprs()::expr));
        }
        return execute(line);
    }

    /** {call p(?, ...)} with its arguments written out. */
    Statement odbcCall(int line) {
        reader.expectSymbol("{");
        reader.expectWord("CALL");
        ObjectName name = reader.expectObjectName();
        List<Statement.Argument> arguments = List.of();
        if (reader.skipSymbol("(")) {
            arguments = reader.isSymbol(")") ? List.of() : arguments();
            reader.expectSymbol(")");
        }
        reader.expectSymbol("}");
        return new Statement.Execute(line, name, "", "", arguments);
    }

    Statement.Execute execute(int line) {
        String result = assigned();
        String variable = "";
        ObjectName name = NO_NAME;
        if (reader.peek().kind() == Kind.VARIABLE) {
            variable = reader.next().text();
        } else {
            name = reader.expectObjectName();
            if (reader.isSymbol(";") && reader.peek(1).kind() == Kind.INTEGER) {
                reader.next();
                reader.next();
            }
        }
        List<Statement.Argument> arguments = startsArgument() ? arguments() : List.of();
        // Plans are not kept, so there is nothing to recompile.
        boolean recompile = reader.skipWords("WITH", "RECOMPILE");
        if (!recompile && reader.isWord("WITH") && reader.peek(1).isWord("RESULT")) {
            throw SqlError.unsupported("WITH RESULT SETS").at(reader.line());
        }
        return new Statement.Execute(line, name, variable, result, arguments);
    }

    /** The variable or parameter before an equals sign, or empty. */
    private String assigned() {
        if (reader.peek().kind() != Kind.VARIABLE || !reader.peek(1).isSymbol("=")) {
            return "";
        }
        String name = reader.next().text();
        reader.next();
        return name;
    }

    private boolean startsArgument() {
        Token token = reader.peek();
        return switch (token.kind()) {
            case VARIABLE, GLOBAL, INTEGER, DECIMAL, FLOAT, MONEY, BINARY, STRING, NATIONAL_STRING, QUOTED -> true;
            case SYMBOL -> token.isSymbol("-");
            case WORD -> token.isWord("NULL") || token.isWord("DEFAULT") || !Keywords.isReserved(token);
            case END -> false;
        };
    }

    private List<Statement.Argument> arguments() {
        return reader.list(() -> {
            String name = assigned();
            Expr value = reader.skipWord("DEFAULT") ? null : argument();
            boolean output = reader.skipWord("OUTPUT") || reader.skipWord("OUT");
            return new Statement.Argument(name, value, output);
        });
    }

    /** EXEC takes constants and variables only; a bare word is a string. */
    private Expr argument() {
        Token token = reader.peek();
        if (token.kind() == Kind.VARIABLE) {
            return new Expr.Variable(reader.next().text());
        }
        if (token.kind() == Kind.GLOBAL) {
            return new Expr.Global(reader.next().upper());
        }
        return constant();
    }

    private Expr constant() {
        Token token = reader.peek();
        if (token.isIdentifier() && !Keywords.isReserved(token)) {
            String text = reader.next().text();
            return new Expr.Literal(Types.nvarchar(Math.max(1, text.length())), text);
        }
        Expr expr = queries.exprs().expr();
        if (!(expr instanceof Expr.Literal)) {
            throw reader.unexpected();
        }
        return expr;
    }
}
