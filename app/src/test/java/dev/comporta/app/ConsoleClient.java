package dev.comporta.app;

import dev.comporta.console.ConsoleSession;
import dev.comporta.console.Outcome;
import dev.comporta.console.Parameters;
import dev.comporta.console.eval.scalar.SessionFacts;
import dev.comporta.console.table.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** An administrator at the console of an instance, without a wire between them. */
final class ConsoleClient implements ConsoleSession {
    private final Instance instance;

    ConsoleClient(Instance instance) {
        this.instance = instance;
    }

    @Override
    public SessionFacts facts() {
        return new SessionFacts(51, "root", "comporta", "Comporta", "16.0.1000.6", "desk", "test", 0);
    }

    @Override
    public boolean mayCommand() {
        return true;
    }

    @Override
    public String address() {
        return "10.0.0.7:50123";
    }

    /** The last outcome in one line: {@code a|b; c|d}, a message, or {@code 50000: …}. */
    String ask(String text) {
        return switch (instance.console().execute(text, Parameters.NONE, this).getLast()) {
            case Outcome.Rows rows ->
                rows.rows().stream().map(ConsoleClient::shown).collect(Collectors.joining("; "));
            case Outcome.Done done -> done.message();
            case Outcome.Failed failed -> failed.number() + ": " + failed.message();
        };
    }

    /** The rows of the one statement. */
    List<Row> rows(String text) {
        return ((Outcome.Rows)
                        instance.console().execute(text, Parameters.NONE, this).getFirst())
                .rows();
    }

    private static String shown(Row row) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            values.add(String.valueOf(row.get(i)));
        }
        return String.join("|", values);
    }
}
