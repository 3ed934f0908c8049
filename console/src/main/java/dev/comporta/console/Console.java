package dev.comporta.console;

import dev.comporta.console.eval.scalar.Budget;
import dev.comporta.console.sql.Command;
import dev.comporta.console.system.Arguments;
import dev.comporta.console.system.Procedures;
import dev.comporta.console.system.SystemCatalog;
import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.View;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs texts of the console's language over the host's views. Thread-safe: a call keeps nothing.
 * A text is bounded in length, nesting, rows, steps and time. An error in it is an outcome, never an exception.
 */
public final class Console {
    private final SystemCatalog system;
    private final Procedures procedures;
    private final Operator operator;
    private final Budget.Limits limits;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Runnable giveWay;

    /**
     * @param database the name that clients log in to
     * @param views the host's, all of schema {@code sys}
     * @param giveWay called from time to time by a long query, on its thread
     */
    public Console(String database, List<View> views, Operator operator, Runnable giveWay) {
        this(database, views, operator, Budget.Limits.DEFAULT, InstantSource.system(), System::nanoTime, giveWay);
    }

    public Console(String database, List<View> views, Operator operator) {
        this(database, views, operator, () -> {});
    }

    public Console(
            String database,
            List<View> views,
            Operator operator,
            Budget.Limits limits,
            InstantSource clock,
            LongSupplier nanoClock,
            Runnable giveWay) {
        this.system = new SystemCatalog(database, views);
        this.procedures = new Procedures(system);
        this.operator = operator;
        this.limits = limits;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.giveWay = giveWay;
    }

    /** The host's views and the system views. */
    public Catalog catalog() {
        return system.catalog();
    }

    /** One outcome for each statement that ran, none for a declaration; the last is {@link Outcome.Failed} if one failed. */
    public List<Outcome> execute(String text, Parameters parameters, ConsoleSession session) {
        return batch(parameters, session).run(text);
    }

    /**
     * Calls a procedure by name, as an RPC request does.
     *
     * @param name {@code sp_executesql}, or a catalog procedure such as {@code sp_tables}
     */
    public List<Outcome> call(String name, Arguments arguments, ConsoleSession session) {
        return batch(Parameters.NONE, session).run(name, arguments);
    }

    /** Carries out a command that did not come as text: names in it need no quoting. */
    public Outcome execute(Command command, ConsoleSession session) {
        return batch(Parameters.NONE, session).run(command);
    }

    private Batch batch(Parameters parameters, ConsoleSession session) {
        Surface surface = new Surface(catalog(), procedures, operator, session, clock);
        return new Batch(surface, limits, new Budget(limits, nanoClock, giveWay), parameters);
    }
}
