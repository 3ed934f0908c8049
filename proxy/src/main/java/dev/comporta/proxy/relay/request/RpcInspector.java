package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcSink;
import dev.comporta.tds.request.RpcWalker;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Scope;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the calls of an RPC request while it is relayed: procedures, statements among their parameters, and handles. */
final class RpcInspector implements RpcSink {
    /** fNoMetaData among an RPC's option flags. */
    private static final int NO_METADATA = 0x0002;

    private final RequestFindings found;
    private final StatementCapture statement;
    private final RpcWalker walker;
    private final CursorHandles cursors;
    private final PreparedCalls prepared;

    /** Bytes of the request in earlier packets. */
    private int bytesBefore;

    /** Whether the server describes the rows of sp_cursorfetch as it sends them. */
    private boolean fetchesDescribed;

    private int procedure;
    private int calls;
    /** Whether the parameter that is being read is the call's statement. */
    private boolean inStatement;

    RpcInspector(RequestFormat format, RequestFindings found, StatementCapture statement) {
        this.found = found;
        this.statement = statement;
        walker = new RpcWalker(format, this);
        cursors = new CursorHandles(format.version());
        prepared = new PreparedCalls(format.version());
    }

    /**
     * @param handles the client's handles; null where they are the server's own
     * @param fetchesDescribed whether the server describes the rows of sp_cursorfetch as it sends them
     */
    void begin(@Nullable ClientHandles handles, boolean fetchesDescribed) {
        this.fetchesDescribed = fetchesDescribed;
        walker.reset();
        prepared.begin(handles);
        bytesBefore = 0;
        forget();
    }

    void forget() {
        cursors.begin();
        prepared.forget();
        procedure = SystemProcedure.NONE;
        calls = 0;
        inStatement = false;
    }

    void read(ByteBuf packet) {
        walker.walk(packet);
        bytesBefore += packet.readableBytes() - PacketHeader.LENGTH;
    }

    /** Whether the last packet ends within a number that must be replaced. */
    boolean endsWithinHandle() {
        return prepared.isMapped() && walker.endsWithinInteger();
    }

    CursorHandles cursors() {
        return cursors;
    }

    PreparedCalls prepared() {
        return prepared;
    }

    /** Whether the request is a single call that runs or prepares one known text, like a batch. */
    boolean isOneText() {
        return calls == 1 && isText(procedure);
    }

    /** Whether the procedure does nothing beyond its text, apart from handles, which are tracked. */
    private boolean isText(int procId) {
        return switch (procId) {
            case SystemProcedure.EXECUTE_SQL -> true;
            case SystemProcedure.PREPARE,
                    SystemProcedure.PREP_EXEC,
                    SystemProcedure.EXECUTE,
                    SystemProcedure.UNPREPARE -> prepared.isMapped();
            default -> false;
        };
    }

    /**
     * A client that already knows the columns asks for rows without them, but rows can't be parsed without their columns.
     * Drivers accept the columns all the same, because a server is free to send them, as long as they are right. Babelfish
     * omits one of them in sp_cursorfetch, whose rows end with ROWSTAT.
     */
    @Override
    public void options(int procId, int flags, ByteBuf packet, int index) {
        boolean described = fetchesDescribed || procId != SystemProcedure.CURSOR_FETCH;
        if ((flags & NO_METADATA) != 0 && described && index >= packet.readerIndex() + PacketHeader.LENGTH) {
            packet.setShortLE(index, flags & ~NO_METADATA);
        }
    }

    @Override
    public void call(int procId, CharSequence name) {
        calls++;
        procedure = procId;
        inStatement = false;
        statement.call(procId, name);
        cursors.call(procId);
        prepared.call(procId);
        if (!isText(procId)) {
            // It runs code that no text here shows, or opens or uses a cursor.
            found.add(Trait.MAY_LEAVE_SOMETHING);
        }
        if (!SystemProcedure.isKnown(procId)) {
            namedCall(name);
        } else if (!prepared.isMapped()
                && (procId == SystemProcedure.EXECUTE || procId == SystemProcedure.CURSOR_EXECUTE)) {
            found.add(Trait.OPAQUE); // only the server knows which statement it runs
        }
    }

    /**
     * A procedure called by name is scanned as the batch that would call it, so that one list of names serves both. Its
     * parameters are not read, so the owner of a lock counts as unknown, possibly the session.
     */
    private void namedCall(CharSequence name) {
        found.add(Trait.OPAQUE);
        String text = "EXEC " + name + " @LockOwner = @unknown";
        ByteBuf bytes = Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_16LE));
        found.startText(Scope.INNER);
        found.text(bytes, 0, bytes.readableBytes());
        found.endCall();
    }

    @Override
    public boolean parameter(int at, CharSequence name, int status, int dataType) {
        endStatement();
        boolean isCursor = cursors.parameter(at, status);
        boolean isPrepared = prepared.parameter(at, name, status, dataType);
        int statementAt = SystemProcedure.statementParameter(procedure);
        if (at == statementAt) {
            if (!isUnicodeText(dataType) || !(name.isEmpty() || isStatementName(name))) {
                found.add(Finding.NOT_UNDERSTOOD);
            }
            found.startText(Scope.INNER);
            inStatement = true;
            return true;
        }
        if (statementAt != SystemProcedure.NO_PARAMETER && isStatementName(name)) {
            // Not in its usual place: a server that matches parameters by name runs this one.
            found.add(Finding.NOT_UNDERSTOOD);
        }
        return isCursor || isPrepared;
    }

    /** The scanner reads only Unicode text, and SQL Server runs only that; another server might run other types. */
    private static boolean isUnicodeText(int dataType) {
        return dataType == DataType.NVARCHAR.code()
                || dataType == DataType.NTEXT.code()
                || dataType == DataType.NCHAR.code();
    }

    /** The names that servers and drivers use for the text to run. */
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
        cursors.integer(value);
        int offset = bytesBefore + index - packet.readerIndex() - PacketHeader.LENGTH;
        PreparedText executed = prepared.integer(value, offset, length);
        if (executed != null) {
            found.addExecuted(executed);
            statement.executes(executed);
        }
    }

    @Override
    public void bytes(ByteBuf packet, int index, int length) {
        if (inStatement) {
            found.text(packet, index, length);
            statement.text(packet, index, length);
        }
        prepared.bytes(packet, index, length);
    }

    @Override
    public void callEnd(boolean execute) {
        endStatement();
        cursors.callEnd(execute);
        prepared.callEnd(execute);
    }

    private void endStatement() {
        if (!inStatement) {
            return;
        }
        inStatement = false;
        if (prepared.isMapped() && PreparedCalls.prepares(procedure)) {
            prepared.scanned(found.endPrepared(), found.rules());
        } else {
            found.endText();
        }
    }
}
