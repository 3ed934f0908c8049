package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import java.util.List;

/** T-SQL text to trees. A text is parsed whole before any of it runs, as SQL Server does. */
public final class Parser {
    private Parser() {}

    public static List<Statement> batch(String text, boolean quotedIdentifiers, ServerHabits habits) {
        return new StatementParser(new TokenReader(text, quotedIdentifiers, habits)).batch();
    }

    /** The parameter list that sp_executesql, sp_prepare and their kin take. */
    public static List<Statement.ParameterDef> parameters(String text) {
        TokenReader reader = new TokenReader(text, true);
        if (reader.atEnd()) {
            return List.of();
        }
        List<Statement.ParameterDef> parameters = new ProcedureParser(reader, new QueryParser(reader)).parameters();
        if (!reader.atEnd()) {
            throw reader.unexpected();
        }
        return parameters;
    }

    /** A name that came as a value: in an RPC, or in a variable after EXEC. A number after a semicolon is dropped. */
    public static ObjectName objectName(String text) {
        TokenReader reader = new TokenReader(text, true);
        ObjectName name = reader.expectObjectName();
        if (reader.skipSymbol(";")) {
            reader.next();
        }
        if (!reader.atEnd()) {
            throw reader.unexpected();
        }
        return name;
    }
}
