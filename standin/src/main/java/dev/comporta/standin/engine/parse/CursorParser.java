package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** DECLARE … CURSOR, OPEN, FETCH, CLOSE, DEALLOCATE. */
record CursorParser(TokenReader reader, QueryParser queries) {
    private static final Set<String> OPTIONS = Keywords.words("""
            LOCAL GLOBAL FORWARD_ONLY SCROLL STATIC KEYSET DYNAMIC FAST_FORWARD READ_ONLY SCROLL_LOCKS OPTIMISTIC
            TYPE_WARNING INSENSITIVE
            """);
    private static final Set<String> DIRECTIONS = Set.of("NEXT", "PRIOR", "FIRST", "LAST", "ABSOLUTE", "RELATIVE");

    /** After the word DECLARE. */
    Statement declare(int line) {
        String name = reader.expectIdentifier();
        List<String> options = options();
        reader.expectWord("CURSOR");
        options.addAll(options());
        reader.expectWord("FOR");
        Query query = queries.query();
        if (reader.skipWord("FOR")) {
            if (reader.skipWords("READ", "ONLY")) {
                options.add("READ_ONLY");
            } else {
                throw SqlError.unsupported("a cursor FOR UPDATE").at(reader.line());
            }
        }
        return new Statement.DeclareCursor(line, name, options, query);
    }

    private List<String> options() {
        List<String> options = new ArrayList<>();
        while (OPTIONS.contains(reader.peek().upper())) {
            options.add(reader.next().upper());
        }
        return options;
    }

    Statement statement(int line) {
        Token verb = reader.next();
        if (verb.isWord("FETCH")) {
            return fetch(line);
        }
        String name = name();
        return switch (verb.upper()) {
            case "OPEN" -> new Statement.OpenCursor(line, name);
            case "CLOSE" -> new Statement.CloseCursor(line, name);
            default -> new Statement.DeallocateCursor(line, name);
        };
    }

    private String name() {
        if (reader.isWord("GLOBAL") && reader.peek(1).isIdentifier()) {
            reader.next();
        }
        return reader.expectIdentifier();
    }

    private Statement fetch(int line) {
        String direction = "NEXT";
        Expr position = null;
        if (DIRECTIONS.contains(reader.peek().upper()) && !reader.peek(1).isWord("INTO")) {
            direction = reader.next().upper();
            if (direction.equals("ABSOLUTE") || direction.equals("RELATIVE")) {
                position = queries.exprs().expr();
            }
        }
        reader.skipWord("FROM");
        String name = name();
        List<String> into = reader.skipWord("INTO") ? reader.list(reader::expectVariable) : List.of();
        return new Statement.FetchCursor(line, name, direction, position, into);
    }
}
