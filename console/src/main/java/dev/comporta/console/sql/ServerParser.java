package dev.comporta.console.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses CREATE, ALTER and DROP of SERVER and USER MAPPING, in PostgreSQL's grammar. Options may be passwords, even where
 * they are not valid: so no error quotes the text between the parentheses.
 */
final class ServerParser {
    private final TokenReader reader;
    private final Map<String, String> parameters;

    /** @param parameters values that came with the text, by name in lower case with its {@code @} */
    ServerParser(TokenReader reader, Map<String, String> parameters) {
        this.reader = reader;
        this.parameters = parameters;
    }

    /** Null when it is another statement. */
    @Nullable
    Statement command() {
        Position at = reader.peek().at();
        if (reader.peek(1).is("SERVER")) {
            String verb = Words.upper(reader.take());
            reader.take();
            return server(at, verb);
        }
        if (reader.peek(1).is("USER") && reader.peek(2).is("MAPPING")) {
            String verb = Words.upper(reader.take());
            reader.take();
            reader.take();
            return mapping(at, verb);
        }
        return null;
    }

    private Statement server(Position at, String verb) {
        boolean ifExists = verb.equals("DROP") && acceptIfExists();
        String name = reader.word("the name of a server", "(");
        return switch (verb) {
            case "CREATE" -> create(at, name);
            case "ALTER" -> new Command.AlterServer(at, name, changes());
            default -> new Command.DropServer(at, name, ifExists);
        };
    }

    private Statement create(Position at, String name) {
        String wrapper = null;
        if (reader.accept("FOREIGN")) {
            reader.expect("DATA");
            reader.expect("WRAPPER");
            wrapper = reader.expectName("the name of a wrapper");
        }
        return new Command.CreateServer(at, name, wrapper, options());
    }

    private Statement mapping(Position at, String verb) {
        boolean ifExists = verb.equals("DROP") && acceptIfExists();
        reader.expect("FOR");
        boolean plain = reader.peek().kind() == Token.Kind.WORD;
        String user = reader.word("the name of a local user, or PUBLIC", "");
        MappedUser.Kind kind = plain ? kindOf(user) : MappedUser.Kind.NAMED;
        reader.expect("SERVER");
        MappedUser of = new MappedUser(kind, user, reader.word("the name of a server", "("));
        return switch (verb) {
            case "CREATE" -> new Command.CreateUserMapping(at, of, reader.at("OPTIONS") ? options() : Map.of());
            case "ALTER" -> new Command.AlterUserMapping(at, of, changes());
            default -> new Command.DropUserMapping(at, of, ifExists);
        };
    }

    private static MappedUser.Kind kindOf(String user) {
        return switch (user.toUpperCase(Locale.ROOT)) {
            case "PUBLIC" -> MappedUser.Kind.PUBLIC;
            case "USER", "CURRENT_USER", "CURRENT_ROLE" -> MappedUser.Kind.CURRENT;
            default -> MappedUser.Kind.NAMED;
        };
    }

    private boolean acceptIfExists() {
        if (!reader.at("IF", "EXISTS")) {
            return false;
        }
        reader.take();
        reader.take();
        return true;
    }

    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        begin();
        do {
            Position keyAt = reader.peek().at();
            String key = option();
            if (options.put(key, value(key)) != null) {
                throw new SqlError(102, keyAt, "The option " + key + " is given twice.");
            }
        } while (reader.acceptSymbol(","));
        end();
        return options;
    }

    private List<OptionChange> changes() {
        List<OptionChange> changes = new ArrayList<>();
        begin();
        do {
            changes.add(change());
        } while (reader.acceptSymbol(","));
        end();
        return changes;
    }

    // An option without SET, ADD or DROP is added, as in PostgreSQL.
    private OptionChange change() {
        boolean verb = reader.peek(1).isName();
        if (verb && reader.accept("DROP")) {
            return new OptionChange(OptionChange.Action.DROP, option(), "");
        }
        boolean set = verb && reader.accept("SET");
        if (verb && !set && !reader.accept("ADD")) {
            throw unexpected("SET, ADD or DROP before the name of an option");
        }
        String key = option();
        return new OptionChange(set ? OptionChange.Action.SET : OptionChange.Action.ADD, key, value(key));
    }

    private void begin() {
        reader.expect("OPTIONS");
        reader.expectSymbol("(");
    }

    private void end() {
        if (!reader.acceptSymbol(")")) {
            throw unexpected("',' or ')' (a quote inside a value is doubled)");
        }
    }

    private String option() {
        if (!reader.peek().isName() || Words.isReserved(reader.peek())) {
            throw unexpected("the name of an option");
        }
        return reader.take().text();
    }

    private String value(String key) {
        Token token = reader.peek();
        if (token.kind() == Token.Kind.VARIABLE) {
            String value = parameters.get(token.text().toLowerCase(Locale.ROOT));
            if (value == null) {
                throw new SqlError(
                        137, token.at(), "The value of " + key + " is a parameter that has no value: give it one.");
            }
            reader.take();
            return value;
        }
        if (token.kind() != Token.Kind.STRING) {
            throw unexpected("a value in quotes for " + key);
        }
        return reader.take().text();
    }

    private SqlError unexpected(String what) {
        return new SqlError(102, reader.peek().at(), "Incorrect syntax in OPTIONS: expected " + what + ".");
    }
}
