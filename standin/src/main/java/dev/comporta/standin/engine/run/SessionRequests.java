package dev.comporta.standin.engine.run;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.session.Command;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.session.Options;
import dev.comporta.standin.engine.session.Output;
import dev.comporta.standin.engine.session.Session;
import dev.comporta.standin.engine.session.Transactions;
import java.util.List;
import java.util.function.Consumer;

/** Runs a session's requests. One thread runs them; others may cancel. */
public final class SessionRequests implements EngineSession {
    private final Session session;
    private final Interpreter interpreter;

    public SessionRequests(Session session) {
        this.session = session;
        interpreter = new Interpreter(session);
    }

    @Override
    public int spid() {
        return session.spid();
    }

    @Override
    public String database() {
        return session.database();
    }

    @Override
    public String language() {
        return session.language();
    }

    @Override
    public boolean inTransaction() {
        return session.inTransaction();
    }

    @Override
    public void batch(String sql, Response response) {
        request(response, output -> {
            Frame frame = Frame.batch(output);
            try {
                interpreter.runBatch(sql, frame);
            } finally {
                output.endBatch();
            }
        });
    }

    @Override
    public void call(String procedure, List<Parameter> parameters, Response response) {
        request(response, output -> new ClientCall(session, interpreter).run(procedure, parameters, output));
    }

    @Override
    public void transaction(TransactionRequest request, Response response) {
        Transactions transactions = session.transactions();
        request(response, output -> {
            boolean failed = false;
            try {
                TransactionRequests.run(request, transactions, response);
            } catch (SqlError e) {
                failed = true;
                output.error(e.at(1));
            }
            if (session.isBabelfish()) {
                output.done(Response.Done.DONE, Command.OF_BABELFISH, Response.NO_COUNT, failed);
                TransactionRequests.reportAsBabelfish(request, transactions, session.executor(), response);
                failed = false;
            }
            output.done(Response.Done.DONE, 0, Response.NO_COUNT, failed);
        });
    }

    @Override
    public BulkInsert bulk(Response response) {
        boolean refused = session.isBabelfish() && session.hasBulkFailed();
        return new BulkRows(session, session.takeBulk(), response, refused);
    }

    /** Surrounds every request: it can be cancelled, and a cancel under XACT_ABORT rolls back. */
    private void request(Response response, Consumer<Output> work) {
        session.requestBegins(response);
        try {
            work.accept(new Output(response));
        } catch (RequestCancelled e) {
            Transactions transactions = session.transactions();
            if (!transactions.isOpen()) {
                transactions.autorollback();
            } else if (session.options().isOn(Options.Switch.XACT_ABORT)) {
                transactions.rollbackAll(null);
            }
            throw e;
        } finally {
            session.requestEnds();
        }
    }

    @Override
    public void reset(boolean keepTransaction, Response response) {
        session.reset(keepTransaction, response);
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public void close() {
        session.close();
    }
}
