package dev.comporta.jdbc.admin;

import dev.comporta.console.Console;
import dev.comporta.console.Outcome;
import dev.comporta.console.Parameters;
import dev.comporta.console.sql.Placeholders;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.Catalog;
import dev.comporta.console.value.TypedValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The administration in SQL: texts of the console's language ({@code docs/console.md}), by a call or by JDBC. Thread-safe. */
public final class AdminDatabase {
    /** The console's own error number, for refusals that are not errors of SQL. */
    private static final int REFUSED = 50000;

    private final Console console;
    private final AtomicInteger sessions = new AtomicInteger();

    public AdminDatabase(Console console) {
        this.console = console;
    }

    /**
     * Runs a text: {@code execute("ALTER SERVER orders OPTIONS (SET max_connections ?)", 30)}.
     *
     * @param parameters the values of its question marks, in their order
     * @return one outcome for each statement: rows, or a sentence that says what was done
     * @throws SQLException for the first statement that fails; those before it have run
     */
    public List<Outcome> execute(String text, @Nullable Object... parameters) throws SQLException {
        Placeholders placeholders = parsed(text);
        AdminSession session = new AdminSession("application", sessions.incrementAndGet());
        return run(placeholders, Arrays.asList(parameters), session);
    }

    /** A connection for tools. */
    public Connection connect(String url, String user) {
        return Faces.connection(this, new AdminSession(user, sessions.incrementAndGet()), url);
    }

    Catalog catalog() {
        return console.catalog();
    }

    static Placeholders parsed(String text) throws SQLException {
        try {
            return Placeholders.of(text);
        } catch (SqlError e) {
            throw failure(new Outcome.Failed(e.number(), e.getMessage(), e.at().line(), e.at().column()));
        }
    }

    List<Outcome> run(Placeholders text, List<? extends @Nullable Object> parameters, AdminSession session)
            throws SQLException {
        if (parameters.size() != text.count()) {
            throw new SQLSyntaxErrorException(
                    "the text has " + text.count() + " parameters, and " + parameters.size() + " are set", "07001");
        }
        Map<String, TypedValue> values = new HashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            values.put(Placeholders.name(i + 1), Values.typed(parameters.get(i)));
        }
        List<Outcome> outcomes = console.execute(text.text(), new Parameters(values), session);
        if (!outcomes.isEmpty() && outcomes.getLast() instanceof Outcome.Failed failed) {
            throw failure(failed);
        }
        return outcomes;
    }

    private static SQLException failure(Outcome.Failed failed) {
        String message = failed.messageWithPosition();
        return failed.number() == REFUSED
                ? new SQLException(message, "HY000", REFUSED)
                : new SQLSyntaxErrorException(message, state(failed.number()), failed.number());
    }

    private static String state(int number) {
        return switch (number) {
            case 208 -> "42S02";
            case 207, 4104 -> "42S22";
            case 262 -> "42501";
            case 8134 -> "22012";
            case 220, 241, 245, 529, 8114, 8115 -> "22018";
            case 8649 -> "54000";
            default -> "42000";
        };
    }
}
