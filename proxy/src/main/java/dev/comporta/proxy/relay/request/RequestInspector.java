package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.SqlBatchWalker;
import dev.comporta.tds.request.TransactionRequest;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.Scope;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a request while it is relayed, and determines what it means for pooling. One for each server connection: it is needed
 * from a request's first packet to the end of its response, and there are few server connections. Borrows the packets.
 */
public final class RequestInspector {
    /** How far the request was read. */
    private enum Reading {
        /** Up to its latest packet; more will follow. */
        PARTLY,
        COMPLETE,
        /** Part of it is not understood: the rest is not read. The server itself reports any error to the client. */
        LOST,
        /** The client withdrew it with its last packet: the server runs nothing of it, and may not even do its reset. */
        IGNORED,
        /** The same, but the server may have run what was sent of it: Babelfish does. */
        PERHAPS_RUN,
        /** The same, by a cancel: it is unknown what the server takes as its end. */
        CUT_SHORT
    }

    private static final Logger log = LoggerFactory.getLogger(RequestInspector.class);

    private final RequestFormat format;
    private final RequestFindings found = new RequestFindings();
    private final StatementCapture statement = new StatementCapture();
    private final SqlBatchWalker batches;
    private final RpcInspector calls;

    private int type;
    private Reading reading = Reading.PARTLY;
    /** Whether the server is SQL Server, which describes the rows of sp_cursorfetch, and runs nothing that was withdrawn. */
    private boolean sqlServer;

    public RequestInspector(RequestFormat format) {
        this.format = format;
        batches = new SqlBatchWalker(format, this::batchText);
        calls = new RpcInspector(format, found, statement);
    }

    /**
     * Begins a request with its first packet.
     *
     * @param pinning the procedures that pin their caller
     * @param handles the client's handles; null where they are the server's own
     * @param sqlServer whether the server is SQL Server
     * @param keepStatement whether to keep its text for the slow-request log
     */
    public void begin(
            ByteBuf first,
            ProcedureRules pinning,
            @Nullable ClientHandles handles,
            boolean sqlServer,
            boolean keepStatement) {
        this.sqlServer = sqlServer;
        type = PacketHeader.type(first);
        statement.begin(keepStatement, type);
        reading = Reading.PARTLY;
        found.begin(pinning);
        batches.reset();
        calls.begin(handles, sqlServer);
        if (type == PacketType.SQL_BATCH) {
            found.startText(Scope.BATCH);
        } else if (type != PacketType.RPC) {
            found.add(Trait.MAY_LEAVE_SOMETHING); // only a text can prove otherwise
        }
    }

    private void withdrawn() {
        if (sqlServer) {
            giveUp();
        } else {
            calls.forget();
            lose();
            reading = Reading.PERHAPS_RUN;
        }
    }

    /** The client withdraws the request with its last packet: none of it will run. */
    private void giveUp() {
        found.clear();
        calls.forget();
        reading = Reading.IGNORED;
    }

    /** The client cancels the request before its last packet: none of it will run. */
    public void cutShort() {
        giveUp();
        reading = Reading.CUT_SHORT;
    }

    /** Reads the next packet, including the first. */
    public void read(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        if (last && (PacketHeader.status(packet) & PacketHeader.STATUS_IGNORE) != 0) {
            withdrawn();
            return;
        }
        if (reading != Reading.PARTLY) {
            return;
        }
        try {
            readOn(packet, last);
        } catch (ProtocolException broken) {
            log.atInfo()
                    .addMarker(ClientLines.MANY)
                    .log("relaying a request unread, and pinning its client: {}", broken.getMessage());
            lose();
            return;
        }
        if (last) {
            reading = Reading.COMPLETE;
        }
    }

    /** Stops reading: the server may run what only it understands, or reject it itself. */
    private void lose() {
        reading = Reading.LOST;
        found.add(Finding.NOT_UNDERSTOOD);
        found.add(Trait.OPAQUE);
        found.add(Trait.MAY_LEAVE_SOMETHING);
        found.add(Trait.PINS_IF_CUT_SHORT);
        calls.cursors().lose();
    }

    private void readOn(ByteBuf packet, boolean last) {
        switch (type) {
            case PacketType.SQL_BATCH -> {
                batches.walk(packet);
                if (last) {
                    found.endBatch();
                }
            }
            case PacketType.RPC -> calls.read(packet);
            case PacketType.TRANSACTION_MANAGER -> readTransaction(packet, last);
            case PacketType.BULK_LOAD -> {}
            default -> throw new ProtocolException("%s is no request".formatted(PacketType.name(type)));
        }
    }

    private void batchText(ByteBuf packet, int index, int length) {
        found.text(packet, index, length);
        statement.text(packet, index, length);
    }

    private void readTransaction(ByteBuf packet, boolean last) {
        if (!last) {
            throw new ProtocolException("a transaction manager request of several packets");
        }
        int index = packet.readerIndex() + PacketHeader.LENGTH;
        ByteBuf body = packet.slice(index, packet.writerIndex() - index);
        switch (TransactionRequest.read(body, format).action()) {
            case TransactionRequest.Begin begin -> begins(begin);
            case TransactionRequest.Commit commit -> begins(commit.next());
            case TransactionRequest.Rollback rollback -> begins(rollback.next());
            case TransactionRequest.Propagate _, TransactionRequest.Promote _ -> found.add(Trait.DISTRIBUTED);
            case TransactionRequest.GetDtcAddress _, TransactionRequest.Save _ -> {}
        }
    }

    private void begins(TransactionRequest.@Nullable Begin next) {
        if (next != null) {
            found.setsIsolation(next.isolation().sql());
            found.add(Trait.ENDS_BY_BEGINNING);
        }
    }

    public int type() {
        return type;
    }

    public StatementCapture statement() {
        return statement;
    }

    public RequestFindings found() {
        return found;
    }

    public CursorHandles cursors() {
        return calls.cursors();
    }

    public PreparedCalls prepared() {
        return calls.prepared();
    }

    /** Whether the last packet ends within a number that must be replaced. */
    public boolean endsWithinHandle() {
        return reading == Reading.PARTLY && type == PacketType.RPC && calls.endsWithinHandle();
    }

    /** Whether the whole request was received. */
    public boolean isComplete() {
        return reading != Reading.PARTLY;
    }

    /** Whether the client withdrew it: the server runs nothing of it, and may not even do its reset. */
    public boolean isIgnored() {
        return reading == Reading.IGNORED || reading == Reading.CUT_SHORT;
    }

    /** Whether the server may still wait for the rest of it. */
    public boolean isCutShort() {
        return reading == Reading.CUT_SHORT;
    }

    /** Whether its effects are unknown, because it could not be read to its end. */
    public boolean isLost() {
        return reading == Reading.LOST || reading == Reading.PERHAPS_RUN;
    }

    /** Whether the client withdrew it, and the server may have run it nevertheless. */
    public boolean isPerhapsRun() {
        return reading == Reading.PERHAPS_RUN;
    }

    /** Whether it is proven to leave nothing in the session but the settings that it names, and no transaction either. */
    public boolean leavesNothing() {
        return isIgnored() || (isComplete() && !found.has(Trait.MAY_LEAVE_SOMETHING));
    }

    /** The same apart from transactions, which the server reports or is asked for. */
    public boolean leavesNothingButTransactions() {
        return leavesNothing()
                || (type == PacketType.TRANSACTION_MANAGER && !isLost() && !found.has(Trait.DISTRIBUTED));
    }

    /** Whether it is a single text that runs nothing but itself. */
    public boolean runsOnlyItsText() {
        boolean text = type == PacketType.SQL_BATCH || calls.isOneText();
        return text && isComplete() && !found.has(Trait.OPAQUE);
    }

    /** The same, and it does not read what the previous request left. */
    public boolean readsNothingLeft() {
        return runsOnlyItsText() && !found.hasAny(Effect.PREVIOUS_REQUEST);
    }

    /** Whether it is a text with BEGIN TRANSACTION only. */
    public boolean onlyBeginsTransaction() {
        return isComplete() && found.has(Trait.ONLY_BEGINS_TRANSACTION);
    }

    /** Whether a transaction is open when it has run without an error, whatever was open before. */
    public boolean leavesTransactionOpen() {
        return onlyBeginsTransaction() || (isComplete() && found.has(Trait.ENDS_BY_BEGINNING));
    }

    /** Whether it may end an open transaction, errors apart. */
    public boolean mayEndTransaction() {
        return !leavesTransactionOpen()
                && (found.hasAny(Effect.TRANSACTION)
                        || found.has(Trait.OPAQUE)
                        || type == PacketType.TRANSACTION_MANAGER
                        || !isComplete());
    }
}
