package dev.comporta.proxy.relay;

import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcSink;
import dev.comporta.tds.request.RpcWalker;
import dev.comporta.tds.request.SqlBatchWalker;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.request.TransactionRequest;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.Scope;
import dev.comporta.tds.sql.SetOption;
import dev.comporta.tds.sql.SqlFindings;
import dev.comporta.tds.sql.SqlScanner;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a request in passing and says what it means for pooling. One for each server connection, because it is needed
 * from a request's first packet to the end of its response, and there are few server connections. Borrows the packets.
 */
final class RequestInspector implements RpcSink, SqlBatchWalker.Sink {
    /** fNoMetaData among an RPC's option flags. */
    private static final int NO_METADATA = 0x0002;

    /** How far the request is followed. */
    private enum Reading {
        UNDERSTOOD,
        /** Something in it is not: the rest is not read. What the server makes of it, the client is told by the server. */
        LOST,
        /** The client gave it up half way: the server runs nothing of it, and may not even do its reset. */
        IGNORED,
        /** The same, by a cancel: what the server takes for the end of it is not known. */
        CUT_SHORT
    }

    private static final Logger log = LoggerFactory.getLogger(RequestInspector.class);

    private static final Finding[] FINDINGS = Finding.values();

    private final RequestFormat format;
    private final SqlBatchWalker batches;
    private final RpcWalker calls;
    private final SqlScanner scanner = new SqlScanner();
    private final RpcHandles handles;

    private int type;
    private Reading reading = Reading.UNDERSTOOD;
    private boolean complete;
    private long findings;
    /** What the batch sets; the scanner's own, and valid until it reads its next text. */
    private @Nullable SqlFindings sets;

    private ProcedureRules rules = ProcedureRules.SHARE;
    private boolean callsPinningProcedure;
    private boolean opaque;
    /** Whether all that was read so far is proven to leave nothing. */
    private boolean leavesNothing;

    private boolean pinsIfCutShort;
    private boolean distributed;
    private String isolation = "";

    private int procedure;
    private int callCount;
    private boolean textOpen;

    RequestInspector(RequestFormat format) {
        this.format = format;
        batches = new SqlBatchWalker(format, this);
        calls = new RpcWalker(format, this);
        handles = new RpcHandles(format.version());
    }

    /** A request begins with this packet; some procedures that it may call pin. */
    void begin(ByteBuf first, ProcedureRules pinning) {
        begin(first);
        rules = pinning;
    }

    /** A request begins with this packet. */
    void begin(ByteBuf first) {
        rules = ProcedureRules.SHARE;
        type = PacketHeader.type(first);
        forget();
        batches.reset();
        calls.reset();
        if (type == PacketType.SQL_BATCH) {
            scanner.start(Scope.BATCH);
        }
    }

    private void forget() {
        reading = Reading.UNDERSTOOD;
        complete = false;
        findings = 0;
        sets = null;
        callsPinningProcedure = false;
        opaque = false;
        // Each text that is read has to prove it.
        leavesNothing = type == PacketType.RPC || type == PacketType.SQL_BATCH;
        pinsIfCutShort = false;
        distributed = false;
        isolation = "";
        handles.begin();
        procedure = SystemProcedure.NONE;
        callCount = 0;
        textOpen = false;
    }

    /** The client gives the request up with its last packet: none of it will run. */
    private void giveUp() {
        forget();
        complete = true;
        reading = Reading.IGNORED;
    }

    /** The client cancels the request before its last packet: none of it will run. */
    void cutShort() {
        giveUp();
        reading = Reading.CUT_SHORT;
    }

    /** Reads on with a packet, the first one included. */
    void read(ByteBuf packet) {
        boolean last = PacketHeader.isEndOfMessage(packet);
        if (last && (PacketHeader.status(packet) & PacketHeader.STATUS_IGNORE) != 0) {
            giveUp();
            return;
        }
        if (reading == Reading.UNDERSTOOD) {
            try {
                readOn(packet, last);
            } catch (ProtocolException broken) {
                log.info("a request is passed on unread, and its client pinned: {}", broken.getMessage());
                lose();
            }
        }
        complete = last;
    }

    /** What the server would refuse, it shall refuse itself; and what only the server understands, it shall run. */
    private void lose() {
        reading = Reading.LOST;
        findings |= Finding.NOT_UNDERSTOOD.bit();
        opaque = true;
        leavesNothing = false;
        pinsIfCutShort = true;
        handles.lose();
    }

    private void readOn(ByteBuf packet, boolean last) {
        switch (type) {
            case PacketType.SQL_BATCH -> {
                batches.walk(packet);
                if (last) {
                    endBatch();
                }
            }
            case PacketType.RPC -> calls.walk(packet);
            case PacketType.TRANSACTION_MANAGER -> readTransaction(packet, last);
            case PacketType.BULK_LOAD -> {}
            default -> throw new ProtocolException("%s is no request".formatted(PacketType.name(type)));
        }
    }

    private void readTransaction(ByteBuf packet, boolean last) {
        if (!last) {
            throw new ProtocolException("a transaction manager request of several packets");
        }
        int index = packet.readerIndex() + PacketHeader.LENGTH;
        ByteBuf body = packet.slice(index, packet.writerIndex() - index);
        switch (TransactionRequest.read(body, format).action()) {
            case TransactionRequest.Begin begin -> isolation = begin.isolation().sql();
            case TransactionRequest.Commit commit -> {
                if (commit.next() != null) {
                    isolation = commit.next().isolation().sql();
                }
            }
            case TransactionRequest.Rollback rollback -> {
                if (rollback.next() != null) {
                    isolation = rollback.next().isolation().sql();
                }
            }
            case TransactionRequest.Propagate _, TransactionRequest.Promote _ -> distributed = true;
            case TransactionRequest.GetDtcAddress _, TransactionRequest.Save _ -> {}
        }
    }

    @Override
    public void text(ByteBuf packet, int index, int length) {
        scanner.feed(packet, index, length);
    }

    private void endBatch() {
        SqlFindings found = scanner.end();
        add(found);
        sets = found.setCount() > 0 ? found : null;
    }

    private void add(SqlFindings found) {
        findings |= found.bits();
        callsPinningProcedure |= rules.pins(found);
        opaque |= found.hasAny(Effect.OPAQUE);
        leavesNothing &= found.leavesNothing();
        pinsIfCutShort |= found.pinsIfCutShort();
    }

    /**
     * A client that knows the columns already asks for rows without them; then nobody could walk the rows. Drivers take
     * the columns all the same, because a server is free to send them.
     */
    @Override
    public void options(int flags, ByteBuf packet, int index) {
        if ((flags & NO_METADATA) != 0 && index >= packet.readerIndex() + PacketHeader.LENGTH) {
            packet.setShortLE(index, flags & ~NO_METADATA);
        }
    }

    @Override
    public void call(int procId, CharSequence name) {
        callCount++;
        procedure = procId;
        textOpen = false;
        handles.call(procId);
        // Anything else runs what no text here shows, or makes or uses a handle.
        leavesNothing &= procId == SystemProcedure.EXECUTE_SQL;
        if (!SystemProcedure.isKnown(procId)) {
            namedCall(name);
        } else if (procId == SystemProcedure.EXECUTE || procId == SystemProcedure.CURSOR_EXECUTE) {
            // What it runs was read when it was prepared, and pins since then; but it may leave a trace each time.
            opaque = true;
        }
    }

    /**
     * A procedure by name is read as the batch that would call it: so one list of names serves both. Its parameters are not
     * read, so a lock's owner is one that is not known, and may be the session.
     */
    private void namedCall(CharSequence name) {
        opaque = true;
        String text = "EXEC " + name + " @LockOwner = @unknown";
        ByteBuf bytes = Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_16LE));
        scanner.start(Scope.INNER);
        scanner.feed(bytes, 0, bytes.readableBytes());
        SqlFindings found = scanner.end();
        findings |= found.bits();
        callsPinningProcedure |= rules.pins(found);
    }

    @Override
    public boolean parameter(int at, CharSequence name, int status, int dataType) {
        endText();
        boolean isHandle = handles.parameter(at, status);
        int statement = SystemProcedure.statementParameter(procedure);
        if (at == statement) {
            if (!isUnicodeText(dataType) || !(name.isEmpty() || isStatementName(name))) {
                findings |= Finding.NOT_UNDERSTOOD.bit();
            }
            scanner.start(Scope.INNER);
            textOpen = true;
            return true;
        }
        if (statement != SystemProcedure.NO_PARAMETER && isStatementName(name)) {
            // Out of its place: a server that goes by names runs this one.
            findings |= Finding.NOT_UNDERSTOOD.bit();
        }
        return isHandle;
    }

    /** The scanner reads nothing else, and SQL Server runs nothing else; another server might. */
    private static boolean isUnicodeText(int dataType) {
        return dataType == DataType.NVARCHAR.code()
                || dataType == DataType.NTEXT.code()
                || dataType == DataType.NCHAR.code();
    }

    /** What servers and drivers call the text that is to be run. */
    private static boolean isStatementName(CharSequence name) {
        return isCalled(name, "@stmt") || isCalled(name, "@statement");
    }

    private static boolean isCalled(CharSequence name, String lowerCase) {
        if (name.length() != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            if (Character.toLowerCase(name.charAt(i)) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void nullValue() {}

    @Override
    public void integer(long value, ByteBuf packet, int index, int length) {
        handles.integer(value);
    }

    @Override
    public void bytes(ByteBuf packet, int index, int length) {
        if (textOpen) {
            scanner.feed(packet, index, length);
        }
    }

    @Override
    public void callEnd(boolean execute) {
        endText();
        handles.callEnd(execute);
    }

    private void endText() {
        if (textOpen) {
            textOpen = false;
            add(scanner.end());
        }
    }

    /** Whether it calls a procedure, or may call one, that the configuration does not have shared. */
    boolean callsPinningProcedure() {
        return callsPinningProcedure;
    }

    /** Whether the whole request has been read. */
    boolean isComplete() {
        return complete;
    }

    RpcHandles handles() {
        return handles;
    }

    /** Whether the client gave it up half way: the server runs nothing of it, and may not even do its reset. */
    boolean isIgnored() {
        return reading == Reading.IGNORED || reading == Reading.CUT_SHORT;
    }

    /** Whether the server may wait for the rest of it still. */
    boolean isCutShort() {
        return reading == Reading.CUT_SHORT;
    }

    /** Whether nobody but the server can say what it does. */
    boolean isLost() {
        return reading == Reading.LOST;
    }

    /** Whether it is proven to leave nothing in the session but the settings that it names, and no transaction either. */
    boolean leavesNothing() {
        return isIgnored() || (leavesNothing && complete);
    }

    /** The same, transactions apart, of which the server tells or is asked. */
    boolean leavesNothingButTransactions() {
        return leavesNothing()
                || (type == PacketType.TRANSACTION_MANAGER && reading == Reading.UNDERSTOOD && !distributed);
    }

    /** Whether it is one text, that neither asks for what the request before has left nor runs what is not in it. */
    boolean readsNothingLeft() {
        boolean text = type == PacketType.SQL_BATCH || (callCount == 1 && procedure == SystemProcedure.EXECUTE_SQL);
        return text && complete && !opaque && !hasAny(Effect.PREVIOUS_REQUEST);
    }

    int type() {
        return type;
    }

    boolean has(Finding finding) {
        return (findings & finding.bit()) != 0;
    }

    boolean hasAny(Effect effect) {
        return (findings & Finding.mask(effect)) != 0;
    }

    /** Whether something ran, or may have, that leaves traces which the text does not show. */
    boolean isOpaque() {
        return opaque;
    }

    /** Whether an error or a cancel leaves the session in a state that nobody knows. */
    boolean pinsIfCutShort() {
        return pinsIfCutShort || !isolation.isEmpty();
    }

    /** Whether the session takes part in a transaction of several servers. */
    boolean isDistributed() {
        return distributed;
    }

    /** Whether it may have ended a transaction, an error apart. */
    boolean mayEndTransaction() {
        return hasAny(Effect.TRANSACTION) || opaque || type == PacketType.TRANSACTION_MANAGER || !complete;
    }

    /** The state after the request has run without an error. */
    SessionState apply(SessionState before) {
        SessionState state = before;
        if (!isolation.isEmpty()) {
            state = state.with(SetOption.TRANSACTION_ISOLATION_LEVEL, isolation);
        }
        SqlFindings found = sets;
        if (found != null) {
            for (int i = 0; i < found.setCount(); i++) {
                SetOption option = found.setOption(i);
                if (found.setIsCertain(i) && found.setIsConstant(i) && option.isReplayable()) {
                    state = state.with(option, found.setValue(i));
                }
            }
        }
        return state;
    }

    /** Whether a SET of this option was found, wherever it stands. */
    boolean sets(SetOption option) {
        SqlFindings found = sets;
        if (found != null) {
            for (int i = 0; i < found.setCount(); i++) {
                if (found.setOption(i) == option) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The first finding that makes the client keep its connection until its session ends. */
    Finding pinningFinding() {
        long pins = findings & Finding.mask(Effect.PIN);
        return FINDINGS[Long.numberOfTrailingZeros(pins)];
    }
}
