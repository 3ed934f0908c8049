package dev.comporta.standin.wire;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.Message;
import dev.comporta.standin.engine.RequestCancelled;
import dev.comporta.standin.engine.Response;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.RowFormat;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The response to one message, streamed as the engine produces it. The last DONE is held back until it is known whether
 * another token follows, because its status must say so.
 *
 * <p>Belongs to the thread that runs the request; {@link #cancel} and {@link #abandon} alone come from the event loop.
 */
final class ResponseStream implements Response {
    private enum Phase {
        RUNNING,
        /** An attention has arrived: the response ends with an error. */
        CANCELLED,
        /** The client has disconnected: nothing more is sent. */
        ABANDONED,
        /** An attention that arrives now is too late for this response. */
        FINISHED
    }

    /** From this severity on an error closes the connection. */
    private static final int FATAL_SEVERITY = 20;
    /** The status of a DONEPROC: the message has further calls. */
    private static final int DONE_RPCINBATCH = 0x80;

    /** The length of a RETURNVALUE with an unnamed integer; Babelfish sends it for every value. */
    private static final int LENGTH_BY_BABELFISH = 13;
    /** Enough bytes to be worth a copy into packets, and few enough for a client not to wait for the first row. */
    private static final int SCRATCH_BYTES = 4096;

    private final WireSession session;
    private final TokenWriter tokens;
    private final MessageWriter writer;
    private final WireSettings settings;
    /** Tokens before they are copied into packets: on the heap, because they are not sent from here. */
    private final ByteBuf scratch = Unpooled.buffer();

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.RUNNING);

    private List<Column> columns = List.of();
    private boolean hasVariants;
    private @Nullable RowFormat rows;
    private boolean withMetadata = true;
    private int callStatus;

    private @Nullable Done held;
    private int heldStatus;
    private int heldCommand;
    private long heldRowCount;

    private boolean silentTransactions;
    private int pendingErrorStatus;
    private boolean fatal;

    ResponseStream(WireSession session, MessageWriter writer, WireSettings settings) {
        this.session = session;
        this.tokens = session.tokens;
        this.writer = writer;
        this.settings = settings;
        writer.begin(PacketType.TABULAR_RESULT);
    }

    /** @return whether the cancel came before the response was complete */
    boolean cancel() {
        return phase.compareAndSet(Phase.RUNNING, Phase.CANCELLED);
    }

    void abandon() {
        phase.set(Phase.ABANDONED);
    }

    boolean isCancelled() {
        return phase.get() == Phase.CANCELLED;
    }

    @Override
    public boolean isUnwanted() {
        Phase now = phase.get();
        return now == Phase.CANCELLED || now == Phase.ABANDONED;
    }

    /** Whether an error was severe enough to end the connection. */
    boolean isFatal() {
        return fatal;
    }

    /** Don't report to the client when transactions begin and end. */
    void silenceTransactions() {
        silentTransactions = true;
    }

    /**
     * The next of a message's calls begins.
     *
     * @param withMetadata whether its results include COLMETADATA
     */
    void call(boolean withMetadata, boolean last) {
        this.withMetadata = withMetadata;
        callStatus = last ? 0 : DONE_RPCINBATCH;
    }

    /**
     * Ends the response; after an attention, with an error. The acknowledgement is not part of it, but a message of its own.
     */
    void finish() {
        if (phase.compareAndSet(Phase.RUNNING, Phase.FINISHED)) {
            if (held == null) {
                hold(Done.DONE, 0, NO_COUNT, false);
            }
            writeHeld(DoneStatus.FINAL);
            endMessage();
        } else if (isCancelled()) {
            writeHeld(DoneStatus.MORE);
            tokens.done(scratch, DoneStatus.ERROR, 0, 0);
            endMessage();
        } else {
            writer.discard();
        }
    }

    private void endMessage() {
        writer.writeBytes(scratch);
        scratch.clear();
        writer.end();
    }

    /** Discards what has not been sent: the connection is about to close. */
    void discard() {
        phase.set(Phase.FINISHED);
        writer.discard();
    }

    void resetAcknowledged() {
        writeHeld(DoneStatus.MORE);
        tokens.resetAcknowledged(scratch);
        pass();
    }

    @Override
    public void columns(List<Column> columns) {
        columns(columns, 0);
    }

    @Override
    public void columns(List<Column> columns, int concealed) {
        beginToken();
        this.columns = columns;
        hasVariants = columns.stream().anyMatch(c -> c.type().name() == SqlType.Name.SQL_VARIANT);
        rows = new RowFormat(session.version, session.columnEncryption > 0, WireTypes.metadata(columns));
        RowFormat described = concealed == 0
                ? rows
                : new RowFormat(
                        session.version,
                        session.columnEncryption > 0,
                        WireTypes.metadata(columns.subList(0, columns.size() - concealed)));
        if (withMetadata) {
            described.writeMetadata(scratch);
        } else {
            RowFormat.writeNoMetadata(scratch);
        }
        pass();
    }

    @Override
    public void row(@Nullable Object[] values) {
        beginToken();
        RowFormat format = rows;
        if (format == null) {
            throw new IllegalStateException("a row before its columns");
        }
        format.writeRow(scratch, writer::writeBytes, hasVariants ? withVariants(values) : values);
        pass();
    }

    private @Nullable Object[] withVariants(@Nullable Object[] values) {
        @Nullable Object[] wireValues = values.clone();
        for (int i = 0; i < values.length; i++) {
            wireValues[i] = WireTypes.toWire(columns.get(i).type(), values[i]);
        }
        return wireValues;
    }

    @Override
    public void info(Message m) {
        beginToken();
        tokens.info(
                scratch, m.number(), m.state(), m.severity(), m.text(), settings.serverName(), m.procedure(), m.line());
        pass();
    }

    /** Sends everything except a DONE that is held back. */
    @Override
    public void flush() {
        if (isUnwanted()) {
            throw new RequestCancelled();
        }
        writer.writeBytes(scratch);
        scratch.clear();
        writer.flush();
    }

    @Override
    public void error(Message m) {
        beginToken();
        tokens.error(
                scratch, m.number(), m.state(), m.severity(), m.text(), settings.serverName(), m.procedure(), m.line());
        pendingErrorStatus = DoneStatus.ERROR;
        fatal |= m.severity() >= FATAL_SEVERITY;
        pass();
    }

    /** TDS below 7.2 has no such ENVCHANGE. Babelfish sends it nevertheless. */
    private boolean reportsTransactions() {
        return !silentTransactions
                && (session.version.tellsOfTransactions() || settings.habits().isBabelfish());
    }

    @Override
    public void transactionBegan(long descriptor) {
        report(descriptor, () -> tokens.transactionBegan(scratch, descriptor));
    }

    @Override
    public void transactionCommitted(long descriptor) {
        report(WireSession.NO_TRANSACTION, () -> tokens.transactionCommitted(scratch, descriptor));
    }

    @Override
    public void transactionRolledBack(long descriptor) {
        report(WireSession.NO_TRANSACTION, () -> tokens.transactionRolledBack(scratch, descriptor));
    }

    /** @param transaction the open transaction from now on */
    private void report(long transaction, Runnable token) {
        if (reportsTransactions()) {
            writeHeld(DoneStatus.MORE);
            session.transaction = transaction;
            token.run();
            pass();
        }
    }

    @Override
    public void databaseChanged(String from, String to) {
        writeHeld(DoneStatus.MORE);
        tokens.envChange(scratch, EnvChange.DATABASE, to, from);
        pass();
    }

    @Override
    public void languageChanged(String from, String to) {
        writeHeld(DoneStatus.MORE);
        tokens.envChange(scratch, EnvChange.LANGUAGE, to, from);
        pass();
    }

    @Override
    public void returnStatus(int status) {
        beginToken();
        tokens.returnStatus(scratch, status);
        pass();
    }

    @Override
    public void returnValue(int ordinal, String name, SqlType type, @Nullable Object value) {
        beginToken();
        int start = scratch.writerIndex();
        tokens.returnValue(
                scratch,
                ordinal,
                name,
                TokenWriter.OUTPUT_PARAMETER,
                WireTypes.nullable(type),
                WireTypes.toWire(type, value));
        if (settings.habits().isBabelfish() && !session.version.hasReturnOrdinals()) {
            scratch.setShortLE(start + 1, LENGTH_BY_BABELFISH);
        }
        pass();
    }

    @Override
    public void done(Done kind, int command, long rowCount, boolean error) {
        beginToken();
        hold(kind, command, rowCount, error);
    }

    private void hold(Done kind, int command, long rowCount, boolean error) {
        held = kind;
        heldCommand = command;
        heldRowCount = Math.max(rowCount, 0);
        heldStatus = (rowCount == NO_COUNT ? 0 : DoneStatus.COUNT)
                | (error ? DoneStatus.ERROR : pendingErrorStatus)
                | (kind == Done.DONEPROC ? callStatus : 0);
        pendingErrorStatus = 0;
    }

    /** Throws after a cancel. ENVCHANGEs bypass this: they report changed state of the session even then. */
    private void beginToken() {
        if (isUnwanted()) {
            throw new RequestCancelled();
        }
        writeHeld(DoneStatus.MORE);
    }

    private void writeHeld(int more) {
        if (held == null) {
            return;
        }
        switch (held) {
            case DONE -> tokens.done(scratch, heldStatus | more, heldCommand, heldRowCount);
            case DONEINPROC -> tokens.doneInProc(scratch, heldStatus | more, heldCommand, heldRowCount);
            case DONEPROC -> tokens.doneProc(scratch, heldStatus | more, heldCommand, heldRowCount);
        }
        held = null;
    }

    private void pass() {
        if (scratch.readableBytes() >= SCRATCH_BYTES) {
            writer.writeBytes(scratch);
            scratch.clear();
        }
    }
}
