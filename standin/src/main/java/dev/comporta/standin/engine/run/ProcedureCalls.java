package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.Evaluator;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.procedure.Outcome;
import dev.comporta.standin.engine.procedure.SystemCall;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.JavaProcedure;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.store.Database;
import dev.comporta.standin.engine.store.Procedure;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds and calls procedures: system procedures, those made by CREATE PROCEDURE, those in Java, and dynamic SQL. */
record ProcedureCalls(Session session, Interpreter interpreter, Evaluator evaluator) {
    /** EXEC in a batch or procedure. */
    void execute(Statement.Execute statement, Frame frame) {
        Outcome outcome = call(statement, frame, frame.output);
        if (frame.doneKind == Response.Done.DONE) {
            frame.output.response().returnStatus(outcome.status());
            frame.output.done(Response.Done.DONEPROC, Command.EXECUTE, Response.NO_COUNT, false);
        }
    }

    /** EXEC whose results are sent to {@code target}, not to the client. */
    void executeInto(Statement.Execute statement, Frame frame, Frame target) {
        call(statement, frame, target.output);
    }

    private Outcome call(Statement.Execute statement, Frame frame, Output output) {
        ObjectName name = statement.procedure();
        if (!statement.procedureVariable().isEmpty()) {
            name = Parser.objectName(
                    String.valueOf(frame.variable(statement.procedureVariable()).value()));
        }
        List<Parameter> parameters = new ArrayList<>();
        for (Statement.Argument argument : statement.arguments()) {
            Expr expr = argument.value();
            TypedValue value = expr == null ? new TypedValue(Types.INT, null) : evaluator.typed(expr, frame);
            parameters.add(
                    new Parameter(argument.name(), value.type(), value.value(), argument.output(), expr == null));
        }
        Outcome outcome = call(name, parameters, frame, output);
        Conversion conversion = new Conversion(session.options().dateFormat);
        for (int i = 0; i < parameters.size(); i++) {
            TypedValue value = outcome.outputs().get(i);
            if (value != null && statement.arguments().get(i).value() instanceof Expr.Variable variable) {
                frame.assign(
                        variable.name(),
                        conversion.convert(
                                value.value(),
                                value.type(),
                                frame.variable(variable.name()).type()));
            }
        }
        if (!statement.resultVariable().isEmpty()) {
            frame.assign(statement.resultVariable(), outcome.status());
        }
        return outcome;
    }

    /** EXEC('text'). */
    void executeText(Statement.ExecuteText statement, Frame frame) {
        String text = evaluator.text(statement.text(), frame);
        Frame inner = Frame.called(frame, frame.output, "");
        inScope(inner, "", () -> interpreter.run(session.parse(text), inner));
    }

    /** @param caller null if the client calls by RPC */
    Outcome call(ObjectName name, List<Parameter> parameters, @Nullable Frame caller, Output output) {
        SystemProcedures.Body system = SystemProcedures.find(name);
        if (system != null) {
            SystemCall call = SystemCall.of(Frame.key(name.name()), parameters, session, caller, output);
            return call.outcome(system.run(call, interpreter));
        }
        Procedure procedure = find(name);
        if (procedure != null) {
            return callUser(procedure, parameters, caller, output);
        }
        JavaProcedure java = session.engine().procedure(name.name());
        if (java != null) {
            return callJava(java, name.name(), parameters, caller, output);
        }
        throw SqlError.noProcedure(name.toString());
    }

    private @Nullable Procedure find(ObjectName name) {
        if (name.isTemporary()) {
            return session.procedures().get(Frame.key(name.name()));
        }
        String schema = SessionEnvironment.schema(name);
        String wanted = name.database().isEmpty() ? session.database() : name.database();
        Database database = session.engine().catalog().database(wanted);
        Procedure procedure = database == null ? null : database.procedure(schema, name.name());
        boolean everywhere = procedure == null && Frame.key(name.name()).startsWith("sp_");
        return everywhere ? session.engine().catalog().require("master").procedure(schema, name.name()) : procedure;
    }

    private Outcome callUser(Procedure procedure, List<Parameter> given, @Nullable Frame caller, Output output) {
        Frame frame = Frame.called(caller, output, procedure.name());
        int[] places = bind(procedure, given, frame);
        String database = session.database().equalsIgnoreCase(procedure.database()) ? "" : procedure.database();
        inScope(frame, database, () -> interpreter.run(procedure.body(), frame));
        List<@Nullable TypedValue> outputs = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Statement.ParameterDef parameter = procedure.parameters().get(places[i]);
            outputs.add(given.get(i).output() ? frame.variable(parameter.name()) : null);
        }
        return new Outcome(frame.returnStatus, outputs);
    }

    /** Declares the procedure's parameters; returns the index of the parameter for each argument. */
    private int[] bind(Procedure procedure, List<Parameter> given, Frame frame) {
        List<Statement.ParameterDef> parameters = procedure.parameters();
        int[] places = new int[given.size()];
        boolean[] bound = new boolean[parameters.size()];
        for (int i = 0; i < given.size(); i++) {
            Parameter argument = given.get(i);
            places[i] = argument.name().isEmpty() ? i : place(procedure, argument.name());
            if (places[i] >= parameters.size()) {
                String text = "Procedure or function " + procedure.name() + " has too many arguments specified.";
                throw new SqlError(8144, 16, 2, SqlError.Effect.STATEMENT, text);
            }
            Statement.ParameterDef parameter = parameters.get(places[i]);
            if (argument.output() && !parameter.output()) {
                String text = "The formal parameter \"" + parameter.name()
                        + "\" was not declared as an OUTPUT parameter, but the actual parameter passed in requested output.";
                throw new SqlError(8162, 16, 2, SqlError.Effect.STATEMENT, text);
            }
            if (!argument.useDefault()) {
                bound[places[i]] = true;
                frame.declare(parameter.name(), parameter.type(), converted(argument, parameter));
            }
        }
        for (int i = 0; i < bound.length; i++) {
            if (!bound[i]) {
                declareDefault(procedure, parameters.get(i), frame);
            }
        }
        return places;
    }

    private @Nullable Object converted(Parameter argument, Statement.ParameterDef parameter) {
        Conversion conversion = new Conversion(session.options().dateFormat);
        try {
            return conversion.convert(argument.value(), argument.type(), parameter.type());
        } catch (SqlError e) {
            throw SqlError.conversionError(Types.name(argument.type()), Types.name(parameter.type()))
                    .with(SqlError.Effect.STATEMENT);
        }
    }

    private void declareDefault(Procedure procedure, Statement.ParameterDef parameter, Frame frame) {
        Expr defaultValue = parameter.defaultValue();
        if (defaultValue == null) {
            String text = "Procedure or function '" + procedure.name() + "' expects parameter '" + parameter.name()
                    + "', which was not supplied.";
            throw new SqlError(201, 16, 4, SqlError.Effect.STATEMENT, text);
        }
        frame.declare(parameter.name(), parameter.type(), evaluator.value(defaultValue, parameter.type(), frame));
    }

    private static int place(Procedure procedure, String name) {
        for (int i = 0; i < procedure.parameters().size(); i++) {
            if (procedure.parameters().get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        String text = name + " is not a parameter for procedure " + procedure.name() + ".";
        throw new SqlError(8145, 16, 2, SqlError.Effect.STATEMENT, text);
    }

    private Outcome callJava(
            JavaProcedure procedure, String name, List<Parameter> given, @Nullable Frame caller, Output output) {
        Frame frame = Frame.called(caller, output, name);
        JavaProcedureCall call = new JavaProcedureCall(frame, given, Outcome.outputs(given));
        int[] status = new int[1];
        inScope(frame, "", () -> {
            status[0] = procedure.run(call);
            return Interpreter.Signal.NEXT;
        });
        return new Outcome(status[0], call.outputs());
    }

    /** sp_executesql and sp_execute: runs a text or prepared statements with the declared parameters. */
    void dynamic(SystemCall call, List<Statement.ParameterDef> parameters, int firstArgument, Body body) {
        Frame frame = Frame.called(call.caller(), call.output(), "");
        int[] places = new int[call.parameters().size()];
        boolean[] bound = new boolean[parameters.size()];
        for (int i = firstArgument; i < call.parameters().size(); i++) {
            Parameter argument = call.parameters().get(i);
            int place = argument.name().isEmpty() ? i - firstArgument : dynamicPlace(parameters, argument.name());
            if (place < 0 && firstArgument + parameters.size() > i) {
                // Some drivers number the names differently from the declaration; then the position decides.
                place = i - firstArgument;
            }
            if (place < 0 || place >= parameters.size()) {
                String text = "Procedure or function has too many arguments specified.";
                throw new SqlError(8144, 16, 2, SqlError.Effect.STATEMENT, text);
            }
            places[i] = place;
            bound[place] = true;
            Statement.ParameterDef parameter = parameters.get(place);
            frame.declare(parameter.name(), parameter.type(), converted(argument, parameter));
        }
        for (int i = 0; i < bound.length; i++) {
            if (!bound[i]) {
                String text = "The parameterized query expects the parameter '"
                        + parameters.get(i).name() + "', which was not supplied.";
                throw new SqlError(8178, 16, 1, SqlError.Effect.STATEMENT, text);
            }
        }
        boolean keepsOptions = call.caller() == null && session.isBabelfish();
        inScope(frame, "", keepsOptions, () -> body.run(frame));
        for (int i = firstArgument; i < call.parameters().size(); i++) {
            if (call.parameters().get(i).output()) {
                call.setOutputAt(i, frame.variable(parameters.get(places[i]).name()));
            }
        }
    }

    private static int dynamicPlace(List<Statement.ParameterDef> parameters, String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Code that runs in a frame of its own. */
    interface Body {
        Interpreter.Signal run(Frame frame);
    }

    private interface Step {
        Interpreter.Signal run();
    }

    /**
     * Restores what ends with a procedure or with dynamic SQL: options, isolation level, database, temporary tables, the scope
     * of identities.
     */
    private void inScope(Frame frame, String database, Step step) {
        inScope(frame, database, false, step);
    }

    /** @param keepsOptions whether options outlive it: on Babelfish they do in the text of a client's own call */
    private void inScope(Frame frame, String database, boolean keepsOptions, Step step) {
        Options options = session.options();
        EngineSession.IsolationLevel isolation = session.transactions().isolation();
        String databaseBefore = session.database();
        int transactionsBefore = session.transactions().count();
        BigDecimal identity = session.values().scopeIdentity;
        session.restore(options.copy());
        session.values().scopeIdentity = null;
        if (!database.isEmpty()) {
            session.switchDatabase(database);
        }
        try {
            step.run();
        } finally {
            if (!keepsOptions) {
                session.restore(options);
            }
            session.transactions().setIsolation(isolation);
            session.values().scopeIdentity = identity;
            session.switchDatabase(databaseBefore);
            interpreter.cursors().leave(frame);
            session.dropTables(frame.tables);
        }
        int now = session.transactions().count();
        // A transaction that IMPLICIT_TRANSACTIONS began for a statement must be ended by the caller: with auto-commit
        // off, drivers send everything as such calls.
        boolean implicit =
                transactionsBefore == 0 && now == 1 && session.options().isOn(Options.Switch.IMPLICIT_TRANSACTIONS);
        if (now != transactionsBefore && !implicit) {
            String text =
                    "Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements."
                            + " Previous count = " + transactionsBefore + ", current count = " + now + ".";
            SqlError error = SqlError.statement(266, 16, 2, text).at(1, frame.procedure);
            frame.output.error(error);
            session.values().setError(error);
        }
    }
}
