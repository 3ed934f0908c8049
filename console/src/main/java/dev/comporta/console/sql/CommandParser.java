package dev.comporta.console.sql;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the commands of an administrator. A command's argument stands on the same line. */
final class CommandParser {
    private static final Set<String> ISOLATION_LEVELS =
            Set.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SNAPSHOT", "SERIALIZABLE");

    private final TokenReader reader;
    private final ServerParser servers;

    CommandParser(TokenReader reader, Map<String, String> parameters) {
        this.reader = reader;
        this.servers = new ServerParser(reader, parameters);
    }

    /** Null when the next word begins no command. */
    @Nullable
    Statement command() {
        Token token = reader.peek();
        Position at = token.at();
        return switch (Words.upper(token)) {
            case "PAUSE" -> new Command.Pause(at, optionalBucket());
            case "RESUME" -> new Command.Resume(at, optionalBucket());
            case "RECONNECT" -> new Command.Reconnect(at, argument("the name of a bucket"));
            case "KILL" -> new Command.Kill(at, argument("the number of a client (SHOW CLIENTS lists them)"));
            case "RELOAD" -> {
                reader.take();
                yield new Command.Reload(at);
            }
            case "DRAIN" -> {
                reader.take();
                yield new Command.Drain(at);
            }
            case "CREATE", "ALTER", "DROP" -> servers.command();
            default -> null;
        };
    }

    private @Nullable String optionalBucket() {
        reader.take();
        return reader.lineGoesOn() ? reader.word("the name of a bucket", "") : null;
    }

    private String argument(String description) {
        reader.take();
        return reader.word(description, "");
    }

    Statement setKey(Position at) {
        Token first = reader.peek();
        String key = reader.word("a setting, as in SET queue_timeout = '10s'", "=");
        if (!reader.acceptSymbol("=")) {
            throw new SqlError(
                    102,
                    reader.peek().at(),
                    "Incorrect syntax near " + reader.peek().shown() + ": expected '=' behind SET " + first.text()
                            + ", or a session option such as NOCOUNT.");
        }
        return new Command.SetKey(at, key, reader.word("a value", ""));
    }

    /** Called after SET, before the option. */
    Statement ignoredSet(Position at) {
        do {
            String option = Words.upper(reader.take());
            switch (option) {
                case "TRANSACTION" -> isolationLevel();
                case "STATISTICS" -> reader.expectName("IO, TIME, PROFILE or XML");
                default -> {}
            }
            if (option.equals("TRANSACTION")) {
                return new Statement.Ignored(at);
            }
        } while (reader.acceptSymbol(","));
        reader.acceptSymbol("=");
        reader.acceptSymbol("-");
        Token value = reader.peek();
        if (value.kind() == Token.Kind.END || value.kind() == Token.Kind.SYMBOL) {
            throw reader.expected("ON, OFF or a value");
        }
        reader.take();
        return new Statement.Ignored(at);
    }

    private void isolationLevel() {
        reader.expect("ISOLATION");
        reader.expect("LEVEL");
        String level = reader.take().text().toUpperCase(Locale.ROOT);
        if (level.equals("READ") || level.equals("REPEATABLE")) {
            level += " " + reader.take().text().toUpperCase(Locale.ROOT);
        }
        if (!ISOLATION_LEVELS.contains(level)) {
            throw reader.expected("an isolation level such as READ COMMITTED");
        }
    }
}
