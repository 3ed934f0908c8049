package dev.comporta.standin.wire;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.EngineSession.BulkInsert;
import dev.comporta.standin.engine.EngineSession.Parameter;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.BulkLoadReader;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SqlBatch;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.request.TransactionRequest;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a client's message and has the engine execute it. Called by the thread that runs the request. */
final class RequestRunner {
    private static final int SEVERITY_USER = 16;
    /** Babelfish's number for errors that SQL Server does not have. */
    private static final int ERROR_OF_POSTGRESQL = 33557097;

    /** Babelfish's command for statements without a command of their own. */
    private static final int USE_OF_BABELFISH = 2;

    private final WireSession session;
    private final EngineSession engine;
    private final Tally tally;
    /** Only transaction manager requests report transactions, so other requests need not carry their descriptors. */
    private final boolean silentTransactions;

    private final ServerHabits habits;

    RequestRunner(WireSession session, Tally tally, ServerHabits habits, boolean silentTransactions) {
        this.session = session;
        this.habits = habits;
        this.engine = session.engine;
        this.tally = tally;
        this.silentTransactions = silentTransactions;
    }

    /**
     * Borrows the message.
     *
     * @throws ProtocolException if it is malformed
     */
    void run(ClientMessage message, ResponseStream response) {
        session.record.asked(engine.inTransaction());
        if (message.ignored() && !habits.isBabelfish()) {
            response.done(Response.Done.DONE, 0, Response.NO_COUNT, true);
            return;
        }
        if (silentTransactions && message.type() != PacketType.TRANSACTION_MANAGER) {
            response.silenceTransactions();
        }
        if (message.asksForReset()) {
            if (message.keepsTransaction() && habits.isBabelfish()) {
                tally.requests.increment();
                response.error(error(ERROR_OF_POSTGRESQL, "RESETCONSKIPTRAN is not supported"));
                response.done(Response.Done.DONE, 0, Response.NO_COUNT, true);
                return;
            }
            tally.resets.increment();
            if (habits.isBabelfish()) {
                response.done(Response.Done.DONE, USE_OF_BABELFISH, Response.NO_COUNT, false);
            }
            if (session.version.acknowledgesReset() || habits.isBabelfish()) {
                response.resetAcknowledged();
            }
            engine.reset(message.keepsTransaction(), response);
        }
        ByteBuf body = message.body();
        switch (message.type()) {
            case PacketType.SQL_BATCH -> batch(SqlBatch.read(body, session.format), response);
            case PacketType.RPC -> calls(RpcRequest.read(body, session.format), response);
            case PacketType.TRANSACTION_MANAGER -> transaction(TransactionRequest.read(body, session.format), response);
            case PacketType.BULK_LOAD -> bulkLoad(body, response);
            default -> throw new ProtocolException(PacketType.name(message.type()) + " message in a session");
        }
    }

    private void batch(SqlBatch batch, ResponseStream response) {
        tally.requests.increment();
        if (accepts(batch.headers(), response)) {
            engine.batch(batch.text(), response);
        }
    }

    private void calls(RpcRequest request, ResponseStream response) {
        if (!accepts(request.headers(), response)) {
            tally.requests.increment();
            return;
        }
        List<RpcRequest.Entry> entries = request.entries();
        for (int i = 0; i < entries.size(); i++) {
            tally.requests.increment();
            RpcCall call = entries.get(i).call();
            response.call(hasMetadata(call), i == entries.size() - 1);
            if (entries.get(i).execute()) {
                call(call, response);
            } else {
                response.done(Response.Done.DONEPROC, 0, Response.NO_COUNT, true);
            }
        }
    }

    private void call(RpcCall call, ResponseStream response) {
        List<Parameter> parameters = new ArrayList<>();
        for (RpcParameter parameter : call.parameters()) {
            SqlType type = WireTypes.fromWire(parameter.type());
            if (type == null) {
                response.error(error(
                        2782, "Parameters of type " + parameter.type().type() + " are not supported by the stand-in."));
                response.done(Response.Done.DONEPROC, 0, Response.NO_COUNT, true);
                return;
            }
            parameters.add(new Parameter(
                    parameter.name(),
                    type,
                    WireTypes.fromWire(parameter.value()),
                    parameter.isOutput(),
                    parameter.isDefault()));
        }
        String name = call.procId() == SystemProcedure.NONE ? call.name() : SystemProcedure.name(call.procId());
        if (name.isEmpty()) {
            throw new ProtocolException("RPC by unknown number " + call.procId());
        }
        engine.call(name, parameters, response);
    }

    /** Whether to send COLMETADATA: a client that has prepared or opened the statement may ask to omit it. */
    private boolean hasMetadata(RpcCall call) {
        int mayDoWithout = habits.isBabelfish() ? SystemProcedure.CURSOR_FETCH : SystemProcedure.EXECUTE;
        return (call.options() & RpcCall.OPTION_NO_METADATA) == 0 || call.systemProcedure() != mayDoWithout;
    }

    private void transaction(TransactionRequest request, ResponseStream response) {
        tally.requests.increment();
        if (!accepts(request.headers(), response)) {
            return;
        }
        EngineSession.TransactionRequest wanted = switch (request.action()) {
            case TransactionRequest.Begin begin -> begin(begin);
            case TransactionRequest.Commit commit ->
                new EngineSession.TransactionRequest.Commit(commit.name(), next(commit.next()));
            case TransactionRequest.Rollback rollback ->
                new EngineSession.TransactionRequest.Rollback(rollback.name(), next(rollback.next()));
            case TransactionRequest.Save save -> new EngineSession.TransactionRequest.Save(save.name());
            case TransactionRequest.GetDtcAddress _, TransactionRequest.Propagate _, TransactionRequest.Promote _ ->
                null;
        };
        if (wanted == null) {
            response.error(error(8501, "MSDTC is unavailable: the stand-in has no distributed transactions."));
            response.done(Response.Done.DONE, 0, Response.NO_COUNT, true);
        } else {
            engine.transaction(wanted, response);
        }
    }

    private static EngineSession.TransactionRequest.@Nullable Begin next(TransactionRequest.@Nullable Begin next) {
        return next == null ? null : begin(next);
    }

    private static EngineSession.TransactionRequest.Begin begin(TransactionRequest.Begin begin) {
        EngineSession.IsolationLevel isolation = switch (begin.isolation()) {
            case CURRENT -> EngineSession.IsolationLevel.UNCHANGED;
            case READ_UNCOMMITTED -> EngineSession.IsolationLevel.READ_UNCOMMITTED;
            case READ_COMMITTED -> EngineSession.IsolationLevel.READ_COMMITTED;
            case REPEATABLE_READ -> EngineSession.IsolationLevel.REPEATABLE_READ;
            case SERIALIZABLE -> EngineSession.IsolationLevel.SERIALIZABLE;
            case SNAPSHOT -> EngineSession.IsolationLevel.SNAPSHOT;
        };
        return new EngineSession.TransactionRequest.Begin(isolation, begin.name());
    }

    private void bulkLoad(ByteBuf body, ResponseStream response) {
        tally.requests.increment();
        BulkLoadReader reader = new BulkLoadReader(body, session.format);
        BulkInsert insert = engine.bulk(response);
        int width = reader.columns().size();
        while (reader.next()) {
            @Nullable Object[] row = new @Nullable Object[width];
            for (int i = 0; i < width; i++) {
                row[i] = WireTypes.fromWire(reader.value(i));
            }
            insert.row(row);
            tally.bulkRows.increment();
        }
        insert.end();
    }

    /** Refuses a request whose transaction is not the open one, as SQL Server does. */
    private boolean accepts(AllHeaders headers, ResponseStream response) {
        if (silentTransactions
                || habits.isBabelfish()
                || !session.version.hasAllHeaders()
                || headers.transaction() == session.transaction) {
            return true;
        }
        response.error(
                headers.transaction() == WireSession.NO_TRANSACTION
                        ? error(
                                3989,
                                "New request is not allowed to start because it should come with valid transaction"
                                        + " descriptor.")
                        : error(
                                3971,
                                "The server failed to resume the transaction. Desc:%x."
                                        .formatted(headers.transaction())));
        response.done(Response.Done.DONE, 0, Response.NO_COUNT, true);
        return false;
    }

    private static Message error(int number, String text) {
        return new Message(number, 1, SEVERITY_USER, text, "", 1);
    }
}
