package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.parse.Token.Kind;

/** BEGIN, COMMIT, ROLLBACK and SAVE, with TRAN, TRANSACTION or WORK, and a name or a variable that holds the name. */
final class TransactionParser {
    private record Name(String name, String variable) {}

    private TransactionParser() {}

    static Statement begin(TokenReader reader, int line) {
        reader.next();
        if (reader.isWord("DISTRIBUTED")) {
            throw SqlError.unsupported("BEGIN DISTRIBUTED TRANSACTION").at(line);
        }
        reader.next();
        Name name = name(reader);
        if (reader.skipWord("WITH")) {
            reader.expectWord("MARK");
            if (reader.peek().kind() == Kind.STRING || reader.peek().kind() == Kind.NATIONAL_STRING) {
                reader.next();
            }
        }
        return new Statement.Begin(line, name.name, name.variable);
    }

    static Statement end(TokenReader reader, int line) {
        Token verb = reader.next();
        boolean transaction = reader.skipWord("TRAN") || reader.skipWord("TRANSACTION");
        Name name = new Name("", "");
        if (transaction) {
            name = name(reader);
        } else if (!reader.skipWord("WORK") && verb.isWord("SAVE")) {
            throw reader.unexpected();
        }
        if (verb.isWord("COMMIT")) {
            reader.skipWithOptions();
            return new Statement.Commit(line);
        }
        return verb.isWord("SAVE")
                ? new Statement.Save(line, name.name, name.variable)
                : new Statement.Rollback(line, name.name, name.variable);
    }

    private static Name name(TokenReader reader) {
        if (reader.peek().kind() == Kind.VARIABLE) {
            return new Name("", reader.next().text());
        }
        // THROW is not a reserved word, and often follows a transaction statement in a CATCH block.
        return reader.isIdentifier() && !reader.isWord("THROW")
                ? new Name(reader.next().text(), "")
                : new Name("", "");
    }
}
