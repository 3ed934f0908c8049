package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.define.DdlStatements;
import dev.comporta.standin.engine.evaluate.Evaluator;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs statements in order, and decides after an error which ones still run. Confined to the session's thread. */
final class Interpreter {
    /** Where execution continues after a statement. */
    enum Signal {
        NEXT,
        BREAK,
        CONTINUE,
        RETURN
    }

    private final Session session;
    private final FlowStatements flow;
    private final QueryStatements queries;
    private final DdlStatements ddl;
    private final SetStatements sets;
    private final ProcedureCalls procedures;
    private final Cursors cursors;
    private int tryDepth;

    Interpreter(Session session) {
        this.session = session;
        Evaluator evaluator = new Evaluator(session);
        this.flow = new FlowStatements(session, this, evaluator);
        this.procedures = new ProcedureCalls(session, this, evaluator);
        this.queries = new QueryStatements(session, this);
        this.ddl = new DdlStatements(session);
        this.sets = new SetStatements(session, evaluator);
        this.cursors = new Cursors(session, evaluator);
    }

    Cursors cursors() {
        return cursors;
    }

    ProcedureCalls procedures() {
        return procedures;
    }

    /** Runs a client's batch. Errors are reported, not thrown. */
    void runBatch(String sql, Frame frame) {
        try {
            List<Statement> statements = parsed(sql, frame);
            if (statements != null) {
                run(statements, frame);
            }
        } catch (BatchAborted e) {
            // The error that ended the batch has been reported.
        } finally {
            cursors.leave(frame);
            session.dropTables(frame.tables);
            tryDepth = 0;
        }
        endDoomed(frame);
    }

    private @Nullable List<Statement> parsed(String sql, Frame frame) {
        try {
            return session.parse(sql);
        } catch (SqlError e) {
            session.values().setError(e);
            frame.output.error(e.at(1, frame.procedure));
            frame.output.done(frame.doneKind, 0, Response.NO_COUNT, true);
            return null;
        }
    }

    /** Rolls back a transaction that can't be committed when its batch ends. */
    private void endDoomed(Frame frame) {
        if (session.transactions().isDoomed()) {
            session.transactions().rollbackAll(frame.output.response());
            String text =
                    "Uncommittable transaction is detected at the end of the batch. The transaction is rolled back.";
            frame.output.error(new SqlError(3998, 16, 1, SqlError.Effect.BATCH, text).at(1));
        }
    }

    Signal run(List<Statement> statements, Frame frame) {
        for (Statement statement : statements) {
            Signal signal = run(statement, frame);
            if (signal != Signal.NEXT) {
                return signal;
            }
        }
        return Signal.NEXT;
    }

    Signal run(Statement statement, Frame frame) {
        session.cancellation().check();
        if (session.options().isOn(Options.Switch.NOEXEC) && !(statement instanceof Statement.SetOptions)) {
            return Signal.NEXT;
        }
        try {
            Signal signal = dispatch(statement, frame);
            if (!isCompound(statement)) {
                session.values().clearError();
            }
            return signal;
        } catch (SqlError e) {
            return failed(e.at(statement.line(), frame.procedure), frame);
        }
    }

    private static boolean isCompound(Statement statement) {
        return switch (statement) {
            case Statement.Block s -> true;
            case Statement.If s -> true;
            case Statement.While s -> true;
            case Statement.TryCatch s -> true;
            case Statement.Raiserror s -> true;
            case Statement.Execute s -> true;
            case Statement.ExecuteText s -> true;
            default -> false;
        };
    }

    private Signal dispatch(Statement statement, Frame frame) {
        return switch (statement) {
            case Statement.Block s -> run(s.body(), frame);
            case Statement.If s -> flow.run(s, frame);
            case Statement.While s -> flow.run(s, frame);
            case Statement.Break s -> Signal.BREAK;
            case Statement.Continue s -> Signal.CONTINUE;
            case Statement.TryCatch s -> tryCatch(s, frame);
            case Statement.Return s -> flow.run(s, frame);
            default -> {
                simple(statement, frame);
                yield Signal.NEXT;
            }
        };
    }

    private void simple(Statement statement, Frame frame) {
        switch (statement) {
            case Statement.Declare s -> flow.run(s, frame);
            case Statement.DeclareTable s -> ddl.declare(s, frame);
            case Statement.Assign s -> flow.run(s, frame);
            case Statement.Print s -> flow.run(s, frame);
            case Statement.Raiserror s -> flow.run(s, frame);
            case Statement.Throw s -> flow.run(s, frame);
            case Statement.Waitfor s -> flow.run(s, frame);
            case Statement.Use s -> session.use(s.database(), frame.output, s.line());
            case Statement.Select s -> queries.select(s.query(), frame);
            case Statement.Insert s -> queries.insert(s, frame);
            case Statement.Update s -> queries.update(s, frame);
            case Statement.Delete s -> queries.delete(s, frame);
            case Statement.Truncate s -> queries.truncate(s, frame);
            case Statement.InsertBulk s -> queries.insertBulk(s, frame);
            case Statement.Execute s -> procedures.execute(s, frame);
            case Statement.ExecuteText s -> procedures.executeText(s, frame);
            case Statement.Begin s -> flow.run(s, frame);
            case Statement.Commit s -> flow.run(s, frame);
            case Statement.Rollback s -> flow.run(s, frame);
            case Statement.Save s -> flow.run(s, frame);
            case Statement.SetOptions s -> sets.run(s);
            case Statement.SetValue s -> sets.run(s, frame);
            case Statement.SetIsolation s -> sets.run(s);
            case Statement.SetIdentityInsert s -> sets.run(s, frame);
            case Statement.Dbcc s -> sets.run(s, frame);
            case Statement.DeclareCursor s -> cursors.declare(s, frame);
            case Statement.OpenCursor s -> cursors.open(s, frame);
            case Statement.FetchCursor s -> cursors.fetch(s, frame);
            case Statement.CloseCursor s -> cursors.close(s);
            case Statement.DeallocateCursor s -> cursors.deallocate(s);
            case Statement.Nothing s -> {}
            default -> ddl.run(statement, frame);
        }
    }

    private Signal tryCatch(Statement.TryCatch statement, Frame frame) {
        tryDepth++;
        SqlError error;
        try {
            return run(statement.body(), frame);
        } catch (SqlError e) {
            error = e;
        } finally {
            tryDepth--;
        }
        if (session.options().isOn(Options.Switch.XACT_ABORT) || error.effect() == SqlError.Effect.ROLLBACK) {
            session.transactions().doom();
        }
        SqlError before = frame.caught;
        frame.caught = error;
        try {
            return run(statement.handler(), frame);
        } finally {
            frame.caught = before;
        }
    }

    private Signal failed(SqlError error, Frame frame) {
        session.values().setError(error);
        session.values().rowCount = 0;
        if (tryDepth > 0 && isCatchable(error)) {
            throw error;
        }
        Output output = frame.output;
        boolean aborts = session.options().isOn(Options.Switch.XACT_ABORT)
                && session.transactions().isOpen();
        boolean rollsBack = error.effect() == SqlError.Effect.ROLLBACK || aborts;
        output.error(error);
        if (rollsBack) {
            session.transactions().rollbackAll(output.response());
        }
        output.done(frame.doneKind, 0, Response.NO_COUNT, true);
        boolean everything = rollsBack
                || error.effect() == SqlError.Effect.BATCH
                || session.options().isOn(Options.Switch.XACT_ABORT);
        if (everything) {
            throw new BatchAborted();
        }
        return error.effect() == SqlError.Effect.SCOPE ? Signal.RETURN : Signal.NEXT;
    }

    /** Whether a TRY block can catch it: not warnings, and not errors that end the connection. */
    private static boolean isCatchable(SqlError error) {
        return error.severity() > 10 && error.severity() < 20;
    }

    boolean inTry() {
        return tryDepth > 0;
    }
}
