package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import java.util.List;

/** Parses T-SQL into trees. A whole text is parsed before any of it runs, as in SQL Server. */
public final class Parser {
    private Parser() {}

    public static List<Statement> batch(String text, boolean quotedIdentifiers, ServerHabits habits) {
        return new StatementParser(new TokenReader(text, quotedIdentifiers, habits)).batch();
    }

    /** The parameter list of sp_executesql, sp_prepare and related procedures. */
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

    /** A name passed as a value: in an RPC, or in a variable after EXEC. A number after a semicolon is ignored. */
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
