package dev.comporta.console;

import dev.comporta.console.eval.Evaluator;
import dev.comporta.console.eval.scalar.Budget;
import dev.comporta.console.eval.scalar.SessionFacts;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.eval.scalar.Types;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Command;
import dev.comporta.console.sql.Parser;
import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.sql.Statement;
import dev.comporta.console.system.Arguments;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import dev.comporta.console.value.Conversion;
import dev.comporta.console.value.TypedValue;
import dev.comporta.console.value.ValueException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of a text: its variables, and the outcomes so far. Used once, by one thread. */
final class Batch {
    private static final Position START = new Position(1, 1);
    private static final int INTERNAL = 50000;

    private final Surface surface;
    private final Budget.Limits limits;
    private final Budget budget;
    private final Map<String, TypedValue> variables;
    private final Map<String, Table> tables = new HashMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private int rowCount;
    private int depth;

    Batch(Surface surface, Budget.Limits limits, Budget budget, Parameters parameters) {
        this.surface = surface;
        this.limits = limits;
        this.budget = budget;
        this.variables = new HashMap<>(parameters.values());
        this.rowCount = surface.session().facts().rowCount();
    }

    List<Outcome> run(String text) {
        return guarded(() -> runText(text));
    }

    List<Outcome> run(String procedure, Arguments arguments) {
        return guarded(() -> exec(START, procedure, arguments));
    }

    Outcome run(Command command) {
        return guarded(() -> run((Statement) command)).getLast();
    }

    private List<Outcome> guarded(Runnable work) {
        try {
            work.run();
        } catch (SqlError e) {
            fail(e.number(), e.getMessage(), e.at());
        } catch (ValueException e) {
            fail(e.number(), String.valueOf(e.getMessage()), START);
        } catch (RuntimeException e) {
            // A view or an operator of the host has a bug: the user can't correct it, but can report it.
            fail(INTERNAL, "Internal error in the console: " + e, START);
        }
        return List.copyOf(outcomes);
    }

    private void fail(int number, String message, Position at) {
        outcomes.add(new Outcome.Failed(number, message, at.line(), at.column()));
    }

    private void runText(String text) {
        if (text.length() > limits.text()) {
            throw new SqlError(
                    103,
                    START,
                    "The text has " + text.length() + " characters; the console takes at most " + limits.text() + ".");
        }
        for (Statement statement : Parser.parse(text, texts())) {
            run(statement);
        }
    }

    private Map<String, String> texts() {
        Map<String, String> texts = new HashMap<>();
        variables.forEach((name, value) -> {
            if (value.value() != null) {
                texts.put(name, Conversion.text(value.value()));
            }
        });
        return texts;
    }

    private void run(Statement statement) {
        switch (statement) {
            case Statement.Select select -> rows(select.at(), Evaluator.query(select.query(), surroundings()));
            case Statement.Show show -> rows(show.at(), show(show));
            case Statement.Ignored _ -> outcomes.add(new Outcome.Done(""));
            case Statement.Use use -> use(use);
            case Statement.If choice -> choose(choice);
            case Statement.Block block -> block.statements().forEach(this::run);
            case Statement.DeclareTable table -> declare(table);
            case Statement.DeclareValue value -> declare(value);
            case Statement.Assign assign -> assign(assign);
            case Statement.InsertExec insert -> insert(insert);
            case Statement.Exec exec -> exec(exec.at(), exec.procedure(), arguments(exec));
            case Command command ->
                outcomes.add(new Outcome.Done(new CommandRun(surface.operator(), surface.session()).run(command)));
        }
    }

    private Surroundings surroundings() {
        SessionFacts facts = surface.session().facts();
        SessionFacts current = new SessionFacts(
                facts.spid(),
                facts.login(),
                facts.serverName(),
                facts.banner(),
                facts.productVersion(),
                facts.hostName(),
                facts.application(),
                rowCount);
        LocalDateTime now = LocalDateTime.ofInstant(surface.clock().instant(), ZoneOffset.UTC);
        return new Surroundings(surface.catalog(), variables, tables, current, now, budget, new HashMap<>());
    }

    private void rows(Position at, Table table) {
        budget.returned(table.rows().size(), at);
        rowCount = table.rows().size();
        outcomes.add(new Outcome.Rows(table.columns(), table.rows()));
    }

    private Table show(Statement.Show show) {
        if (show.thing().equals("HELP")) {
            return Help.of(surface.catalog(), surface.operator().offered());
        }
        Map<String, View> shown = surface.catalog().shown();
        View view = shown.get(show.thing());
        if (view == null) {
            String nearest = NearestName.among(shown.keySet(), show.thing())
                    .map(near -> " Did you mean SHOW " + near + "?")
                    .orElse(" SHOW HELP lists what can be shown.");
            throw new SqlError(208, show.at(), "There is nothing to show as '" + show.thing() + "'." + nearest);
        }
        return view.read();
    }

    private void use(Statement.Use use) {
        String database = surface.catalog().database();
        if (!use.database().equalsIgnoreCase(database)) {
            throw new SqlError(
                    911,
                    use.at(),
                    "Database '" + use.database() + "' does not exist here. The console's is '" + database + "'.");
        }
        outcomes.add(new Outcome.Done(""));
    }

    private void choose(Statement.If choice) {
        if (Evaluator.condition(choice.condition(), surroundings())) {
            run(choice.then());
        } else if (choice.otherwise() != null) {
            run(choice.otherwise());
        } else {
            outcomes.add(new Outcome.Done(""));
        }
    }

    private void declare(Statement.DeclareTable table) {
        List<Column> columns = new ArrayList<>();
        for (Statement.ColumnDefinition definition : table.columns()) {
            columns.add(Column.of(definition.name(), Types.of(definition.type())));
        }
        tables.put(table.variable(), new Table(columns, List.of()));
    }

    private void declare(Statement.DeclareValue declaration) {
        variables.put(declaration.variable(), new TypedValue(Types.of(declaration.type()), null));
        if (declaration.value() != null) {
            assign(new Statement.Assign(declaration.at(), declaration.variable(), declaration.value()));
        }
    }

    private void assign(Statement.Assign assign) {
        TypedValue declared = variables.get(assign.variable());
        if (declared == null) {
            throw new SqlError(137, assign.at(), "The variable " + assign.variable() + " is not declared.");
        }
        TypedValue value = Evaluator.value(assign.value(), surroundings());
        try {
            variables.put(
                    assign.variable(),
                    new TypedValue(declared.type(), Conversion.convert(value.value(), declared.type())));
        } catch (ValueException e) {
            throw new SqlError(e.number(), assign.value().at(), String.valueOf(e.getMessage()));
        }
    }

    private Arguments arguments(Statement.Exec exec) {
        Arguments arguments = new Arguments();
        for (Statement.Argument argument : exec.arguments()) {
            arguments.add(argument.name(), Evaluator.value(argument.value(), surroundings()));
        }
        return arguments;
    }

    private void insert(Statement.InsertExec insert) {
        Table target = tables.get(insert.variable());
        if (target == null) {
            throw new SqlError(1087, insert.at(), "The table variable " + insert.variable() + " is not declared.");
        }
        Table source = procedure(insert.exec().at(), insert.exec().procedure(), arguments(insert.exec()));
        if (source.columns().size() != target.columns().size()) {
            throw new SqlError(
                    213,
                    insert.at(),
                    insert.exec().procedure() + " returns " + source.columns().size() + " columns; " + insert.variable()
                            + " has " + target.columns().size() + ".");
        }
        List<Row> rows = new ArrayList<>(target.rows());
        for (Row row : source.rows()) {
            rows.add(converted(row, target.columns()));
        }
        budget.returned(rows.size(), insert.at());
        tables.put(insert.variable(), new Table(target.columns(), rows));
        rowCount = source.rows().size();
        outcomes.add(new Outcome.Done(""));
    }

    private static Row converted(Row row, List<Column> columns) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            values.add(Conversion.convert(row.get(i), columns.get(i).type()));
        }
        return Row.of(values);
    }

    private void exec(Position at, String name, Arguments arguments) {
        if (name.equalsIgnoreCase("sp_executesql")) {
            ExecuteSql call = ExecuteSql.of(at, arguments);
            Batch inner = new Batch(surface, limits, budget, new Parameters(call.parameters()));
            inner.deeperThan(this, at);
            inner.runText(call.text());
            outcomes.addAll(inner.outcomes);
        } else {
            rows(at, procedure(at, name, arguments));
        }
    }

    // The text in a call of sp_executesql may call sp_executesql again.
    private void deeperThan(Batch outer, Position at) {
        depth = outer.depth + 1;
        if (depth > 8) {
            throw new SqlError(217, at, "sp_executesql is nested too deeply.");
        }
    }

    private Table procedure(Position at, String name, Arguments arguments) {
        String plain = name.toLowerCase(Locale.ROOT);
        return surface.procedures().call(plain, arguments).orElseThrow(() -> {
            String nearest = NearestName.among(surface.procedures().names(), plain)
                    .map(near -> " Did you mean " + near + "?")
                    .orElse("");
            return new SqlError(2812, at, "Could not find stored procedure '" + name + "'." + nearest);
        });
    }
}
