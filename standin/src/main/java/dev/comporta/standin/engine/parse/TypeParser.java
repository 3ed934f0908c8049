package dev.comporta.standin.engine.parse;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.parse.Token.Kind;
import dev.comporta.standin.engine.type.Types;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A type in a declaration or cast. */
record TypeParser(TokenReader reader) {
    /**
     * @param defaultLength the length of a character or binary type that is written without one: 1 in a declaration, 30
     *     in a cast
     */
    SqlType parse(int defaultLength) {
        Token token = reader.next();
        if (token.isWord("SYS") && reader.skipSymbol(".")) {
            token = reader.next();
        }
        if (!token.isIdentifier()) {
            throw SqlError.syntax(token.text(), token.line());
        }
        String word = token.text().toUpperCase(Locale.ROOT);
        if (word.equals("NATIONAL")) {
            word = reader.next().upper().equals("TEXT") ? "NTEXT" : "NCHAR";
        } else if (word.equals("DOUBLE")) {
            reader.skipWord("PRECISION");
        }
        Name name = name(word);
        if (name == null) {
            String text = "Cannot find data type " + token.text() + ".";
            throw new SqlError(2715, 16, 6, SqlError.Effect.BATCH, text).at(token.line());
        }
        if (reader.skipWord("VARYING")) {
            name = Types.variable(name);
        }
        if (word.equals("SYSNAME")) {
            return new SqlType(Name.NVARCHAR, 128, 0, 0);
        }
        return withArguments(name, defaultLength);
    }

    private SqlType withArguments(Name name, int defaultLength) {
        int[] arguments = {-1, -1};
        boolean max = false;
        int count = 0;
        if (reader.isSymbol("(")) {
            reader.next();
            if (reader.skipWord("MAX")) {
                max = true;
            } else {
                do {
                    Token number = reader.next();
                    if (number.kind() != Kind.INTEGER || count == 2) {
                        throw SqlError.syntax(number.text(), number.line());
                    }
                    arguments[count++] = Integer.parseInt(number.text());
                } while (reader.skipSymbol(","));
            }
            reader.expectSymbol(")");
        }
        return switch (name) {
            case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY -> {
                int length = max ? SqlType.MAX : count == 0 ? defaultLength : arguments[0];
                yield new SqlType(name, length, 0, 0);
            }
            case DECIMAL, NUMERIC -> new SqlType(name, 0, count == 0 ? 18 : arguments[0], count < 2 ? 0 : arguments[1]);
            case TIME, DATETIME2, DATETIMEOFFSET -> new SqlType(name, 0, 0, count == 0 ? 7 : arguments[0]);
            case FLOAT -> new SqlType(count > 0 && arguments[0] <= 24 ? Name.REAL : name, 0, 0, 0);
            default -> new SqlType(name, 0, 0, 0);
        };
    }

    private static @Nullable Name name(String word) {
        return switch (word) {
            case "INTEGER" -> Name.INT;
            case "DEC" -> Name.DECIMAL;
            case "DOUBLE" -> Name.FLOAT;
            case "CHARACTER" -> Name.CHAR;
            case "TIMESTAMP" -> Name.ROWVERSION;
            case "SYSNAME" -> Name.NVARCHAR;
            default -> {
                for (Name name : Name.values()) {
                    if (name.name().equals(word)) {
                        yield name;
                    }
                }
                yield null;
            }
        };
    }
}
