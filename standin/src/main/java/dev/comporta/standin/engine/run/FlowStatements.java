package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.Evaluator;
import dev.comporta.standin.engine.evaluate.MessageFormat;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.session.Transactions;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Control of flow, variables, messages, WAITFOR, and transactions. */
record FlowStatements(Session session, Interpreter interpreter, Evaluator evaluator) {
    Interpreter.Signal run(Statement.If statement, Frame frame) {
        if (holds(statement.condition(), frame)) {
            return interpreter.run(statement.then(), frame);
        }
        Statement otherwise = statement.otherwise();
        return otherwise == null ? Interpreter.Signal.NEXT : interpreter.run(otherwise, frame);
    }

    /** Evaluating a condition clears {@code @@ERROR}. */
    private boolean holds(Condition condition, Frame frame) {
        boolean holds = evaluator.holds(condition, frame);
        session.values().clearError();
        return holds;
    }

    Interpreter.Signal run(Statement.While statement, Frame frame) {
        while (holds(statement.condition(), frame)) {
            session.cancellation().check();
            Interpreter.Signal signal = interpreter.run(statement.body(), frame);
            if (signal == Interpreter.Signal.BREAK) {
                break;
            }
            if (signal == Interpreter.Signal.RETURN) {
                return signal;
            }
        }
        return Interpreter.Signal.NEXT;
    }

    Interpreter.Signal run(Statement.Return statement, Frame frame) {
        if (statement.value() != null) {
            if (frame.nestLevel == 0) {
                String text = "A RETURN statement with a return value cannot be used in this context.";
                throw new SqlError(178, 15, 1, SqlError.Effect.BATCH, text);
            }
            frame.returnStatus = evaluator.integer(statement.value(), frame);
        }
        return Interpreter.Signal.RETURN;
    }

    void run(Statement.Declare statement, Frame frame) {
        Expr value = statement.value();
        SqlType type = statement.type();
        frame.declare(statement.name(), type, value == null ? null : evaluator.value(value, type, frame));
    }

    void run(Statement.Assign statement, Frame frame) {
        SqlType type = frame.variable(statement.variable()).type();
        frame.assign(statement.variable(), evaluator.value(statement.value(), type, frame));
    }

    void run(Statement.Print statement, Frame frame) {
        String text = evaluator.text(statement.value(), frame);
        frame.output.info(new Message(0, 1, 0, text.isEmpty() ? " " : text, frame.procedure, statement.line()));
    }

    void run(Statement.Raiserror statement, Frame frame) {
        int severity = evaluator.integer(statement.severity(), frame);
        int state = Math.max(1, evaluator.integer(statement.state(), frame));
        TypedValue message = evaluator.typed(statement.message(), frame);
        int number = 50000;
        String text;
        if (message.value() instanceof Integer id) {
            number = id;
            text = "Error " + id + ", severity " + severity + ", state " + state
                    + " was raised, but no message with that error number was found in sys.messages.";
            throwUnlessUserNumber(number);
        } else {
            List<@Nullable Object> arguments = new ArrayList<>();
            for (Expr argument : statement.arguments()) {
                arguments.add(evaluator.typed(argument, frame).value());
            }
            text = MessageFormat.format(String.valueOf(message.value()), arguments);
        }
        SqlError error = new SqlError(number, severity, state, SqlError.Effect.STATEMENT, text)
                .at(statement.line(), frame.procedure);
        raise(error, frame, severity > 10 || statement.setError(), statement.noWait());
    }

    private static void throwUnlessUserNumber(int number) {
        if (number < 13000) {
            String text = "Error number " + number
                    + " is invalid. The number must be from 13000 through 2147483647 and it" + " cannot be 50000.";
            throw SqlError.statement(2732, 16, 1, text);
        }
    }

    /** RAISERROR does not end the batch, not even under XACT_ABORT; only a TRY block catches it. */
    private void raise(SqlError error, Frame frame, boolean setsError, boolean noWait) {
        if (error.severity() > 10 && interpreter.inTry()) {
            throw error;
        }
        if (error.severity() <= 10 && session.isBabelfish()) {
            frame.output.info(new Message(0, 1, 0, error.text(), "", 0));
        } else {
            frame.output.error(error);
        }
        if (noWait) {
            frame.output.flush();
        }
        if (setsError) {
            session.values().setError(error);
        } else {
            session.values().clearError();
        }
        if (error.severity() > 10) {
            frame.output.done(frame.doneKind, 0, Response.NO_COUNT, true);
        }
        if (error.severity() >= 20) {
            throw new BatchAborted();
        }
    }

    void run(Statement.Throw statement, Frame frame) {
        if (statement.number() == null || statement.message() == null || statement.state() == null) {
            SqlError caught = frame.caught;
            if (caught == null) {
                String text =
                        "To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the THROW"
                                + " statement inside a CATCH block, or add error parameters to the THROW statement.";
                throw new SqlError(10704, 15, 1, SqlError.Effect.BATCH, text);
            }
            throw caught.with(SqlError.Effect.BATCH);
        }
        int number = evaluator.integer(statement.number(), frame);
        if (number < 50000) {
            String text =
                    "Error number " + number + " in the THROW statement is outside the valid range. Specify an error"
                            + " number in the valid range of 50000 to 2147483647.";
            throw SqlError.statement(35100, 16, 10, text);
        }
        String text = evaluator.text(statement.message(), frame);
        int state = evaluator.integer(statement.state(), frame);
        throw new SqlError(number, 16, state, SqlError.Effect.BATCH, text);
    }

    void run(Statement.Waitfor statement, Frame frame) {
        String text = evaluator.text(statement.value(), frame);
        Object parsed = new Conversion("mdy")
                .convert(text, Types.varchar(Math.max(1, text.length())), new SqlType(SqlType.Name.TIME, 0, 0, 7));
        if (!(parsed instanceof LocalTime time)) {
            throw SqlError.syntax(text, statement.line());
        }
        long nanos = time.toNanoOfDay();
        if (statement.untilTime()) {
            LocalDateTime now = Conversion.now().toLocalDateTime();
            LocalDateTime until = now.toLocalDate().atTime(time);
            nanos = Duration.between(now, until.isBefore(now) ? until.plusDays(1) : until)
                    .toNanos();
        }
        session.cancellation().sleep(nanos);
    }

    void run(Statement.Begin statement, Frame frame) {
        Transactions transactions = session.transactions();
        Response response = frame.output.response();
        String name = name(statement.name(), statement.nameVariable(), frame);
        boolean implicit = session.options().isOn(Options.Switch.IMPLICIT_TRANSACTIONS);
        if (implicit && !transactions.isOpen()) {
            // BEGIN TRAN is itself one of the statements that open an implicit transaction, and then nests in it.
            transactions.begin("", response);
        }
        transactions.begin(name, response);
    }

    void run(Statement.Commit statement, Frame frame) {
        session.transactions().commit(frame.output.response());
    }

    void run(Statement.Rollback statement, Frame frame) {
        String name = name(statement.name(), statement.nameVariable(), frame);
        session.transactions().rollback(name, frame.output.response());
    }

    void run(Statement.Save statement, Frame frame) {
        session.transactions().save(name(statement.name(), statement.nameVariable(), frame));
    }

    private static String name(String name, String variable, Frame frame) {
        if (variable.isEmpty()) {
            return name;
        }
        Object value = frame.variable(variable).value();
        return value == null ? "" : value.toString();
    }
}
