package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Query.JoinKind;
import dev.comporta.standin.engine.parse.Token.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The FROM clause: tables, derived tables, joins, and table hints (read and ignored). */
record FromParser(TokenReader reader, QueryParser queries) {
    private static final Set<String> HINTS = Keywords.words("""
            NOLOCK HOLDLOCK UPDLOCK ROWLOCK READPAST TABLOCK TABLOCKX XLOCK PAGLOCK READCOMMITTED READUNCOMMITTED
            REPEATABLEREAD SERIALIZABLE READCOMMITTEDLOCK NOWAIT SNAPSHOT
            """);

    List<Query.From> fromList() {
        return reader.list(this::joined);
    }

    private Query.From joined() {
        Query.From left = source();
        while (true) {
            JoinKind kind = joinKind();
            if (kind == null) {
                return left;
            }
            Query.From right = source();
            Condition on = null;
            if (kind != JoinKind.CROSS) {
                reader.expectWord("ON");
                on = queries.exprs().condition();
            }
            left = new Query.Join(kind, left, right, on);
        }
    }

    private @Nullable JoinKind joinKind() {
        if (reader.skipWord("JOIN") || reader.skipWords("INNER", "JOIN")) {
            return JoinKind.INNER;
        }
        if (reader.skipWords("CROSS", "JOIN")) {
            return JoinKind.CROSS;
        }
        if (reader.isWord("CROSS") || (reader.isWord("OUTER") && reader.peek(1).isWord("APPLY"))) {
            throw SqlError.unsupported("APPLY").at(reader.line());
        }
        JoinKind kind = reader.isWord("LEFT")
                ? JoinKind.LEFT
                : reader.isWord("RIGHT") ? JoinKind.RIGHT : reader.isWord("FULL") ? JoinKind.FULL : null;
        if (kind != null) {
            reader.next();
            reader.skipWord("OUTER");
            reader.expectWord("JOIN");
        }
        return kind;
    }

    private Query.From source() {
        if (reader.isSymbol("(")) {
            if (queries.atQuery() || reader.peek(1).isWord("VALUES")) {
                Query query = reader.inParentheses(queries::query);
                String alias = alias();
                List<String> columns = reader.isSymbol("(") ? reader.identifierList() : List.of();
                return new Query.Derived(query, alias, columns);
            }
            return reader.inParentheses(this::joined);
        }
        if (reader.peek().kind() == Kind.VARIABLE) {
            ObjectName name = new ObjectName("", "", reader.next().text());
            return new Query.TableFrom(name, alias());
        }
        ObjectName name = reader.expectObjectName();
        if (reader.isSymbol("(") && !isHint(reader.peek(1))) {
            throw SqlError.unsupported("the table function " + name).at(reader.line());
        }
        skipHints();
        String alias = alias();
        skipHints();
        return new Query.TableFrom(name, alias);
    }

    private String alias() {
        if (reader.skipWord("AS")) {
            return reader.expectIdentifier();
        }
        return reader.isIdentifier() && !isSoftKeyword(reader.peek())
                ? reader.next().text()
                : "";
    }

    /** Words that are not reserved, yet follow a table as a clause and not as its alias. */
    private static boolean isSoftKeyword(Token token) {
        if (token.kind() != Kind.WORD) {
            return false;
        }
        return switch (token.upper()) {
            case "OFFSET", "OUTPUT", "GO" -> true;
            default -> false;
        };
    }

    void skipHints() {
        if (reader.isWord("WITH") && reader.peek(1).isSymbol("(")) {
            reader.next();
            reader.skipParentheses();
        } else if (reader.isSymbol("(") && isHint(reader.peek(1))) {
            reader.skipParentheses();
        }
    }

    private static boolean isHint(Token token) {
        return token.kind() == Kind.WORD && HINTS.contains(token.text().toUpperCase(Locale.ROOT));
    }
}
