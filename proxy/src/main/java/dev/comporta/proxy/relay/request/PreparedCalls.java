package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.prepared.IntBag;
import dev.comporta.proxy.prepared.PreparedIn;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.prepared.PreparedText.Kind;
import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.TextFindings;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.DataType;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of a request: those that it executes, unprepares and prepares, and the place of the new handle in
 * the response. One for each server connection, as its {@link RequestInspector}.
 */
public final class PreparedCalls {
    /** The role of the parameter that is being read. */
    private enum Reading {
        NOTHING,
        HANDLE,
        DECLARATION,
        STATEMENT,
        CURSOR_FLAGS,
        CURSOR_SCROLL,
        CURSOR_CONCURRENCY
    }

    private final boolean byOrdinal;
    private final HandlePlaces places = new HandlePlaces();
    private final TextCapture capture = new TextCapture();
    /** The client's handles that the request unprepares. */
    private final IntBag givenBack = new IntBag();
    /** Those that its first calls unprepare: they are unprepared even if a later call fails. */
    private final IntBag givenBackFirst = new IntBag();
    /** Those that it replaces by new ones. */
    private final IntBag replaced = new IntBag();

    /** The handles of the request's client; null in session mode, where handles are the server's own. */
    private @Nullable ClientHandles handles;

    private int calls;
    private boolean onlyGivesUp = true;
    private int prepares;
    /** Number of new handles returned. */
    private int returned;
    /** Number of calls that prepare nothing and may return a value that looks like a new handle. */
    private int ambiguous;
    /** Number of calls that pass their handle in a way that can't be followed. */
    private int unreadable;

    /** The kind of the statements that the request prepares. */
    private Kind kind = Kind.STATEMENT;

    // The call that is being read.
    private int procedure;
    private Reading reading = Reading.NOTHING;
    /** The handle's position among the parameters that come back, which alone identifies it before TDS 7.2. */
    private int order;

    private int outputs;

    PreparedCalls(TdsVersion version) {
        byOrdinal = version.hasReturnOrdinals();
    }

    void begin(@Nullable ClientHandles of) {
        handles = of;
        forget();
    }

    /** Forgets everything: none of the request will run. */
    void forget() {
        places.clear();
        givenBack.clear();
        givenBackFirst.clear();
        replaced.clear();
        onlyGivesUp = true;
        calls = 0;
        prepares = 0;
        returned = 0;
        ambiguous = 0;
        unreadable = 0;
        beginCall(SystemProcedure.NONE);
    }

    /** Whether this request's handles are the proxy's own numbers. */
    boolean isMapped() {
        return handles != null;
    }

    public HandlePlaces places() {
        return places;
    }

    /** Whether it is a single call. */
    public boolean isOneCall() {
        return calls == 1;
    }

    /** Whether a handle is passed in a way that can't be followed, so that it can't be replaced. */
    public boolean isUnreadable() {
        return unreadable > 0;
    }

    // Reading the request.

    void call(int procId) {
        calls++;
        onlyGivesUp &= SystemProcedure.unprepares(procId);
        beginCall(procId);
        if (handles != null && prepares(procId)) {
            capture.begin();
            prepares++;
            if (prepares > 1 && kind != ClientHandles.kindOf(procId)) {
                ambiguous++;
            }
            kind = ClientHandles.kindOf(procId);
            if (prepares > 1 || procId == SystemProcedure.PREP_EXEC_RPC) {
                capture.spoil();
            }
        }
    }

    private void beginCall(int procId) {
        procedure = procId;
        reading = Reading.NOTHING;
        order = SystemProcedure.NO_PARAMETER;
        outputs = 0;
    }

    static boolean prepares(int procId) {
        return switch (procId) {
            case SystemProcedure.PREPARE,
                    SystemProcedure.PREP_EXEC,
                    SystemProcedure.PREP_EXEC_RPC,
                    SystemProcedure.CURSOR_PREPARE,
                    SystemProcedure.CURSOR_PREP_EXEC -> true;
            default -> false;
        };
    }

    /** @return whether its value is needed */
    boolean parameter(int at, CharSequence name, int status, int dataType) {
        reading = Reading.NOTHING;
        int handle = SystemProcedure.preparedHandleParameter(procedure);
        if ((status & RpcParameter.STATUS_OUTPUT) != 0) {
            if (at == handle && prepares(procedure)) {
                order = outputs;
            } else if (at == 0 || (!byOrdinal && outputs == 0)) {
                ambiguous++;
            }
            outputs++;
        }
        if (handles == null || handle == SystemProcedure.NO_PARAMETER) {
            return false;
        }
        if (at != handle && name.length() == 7 && "@handle".contentEquals(name)) {
            unreadable++; // a server that matches parameters by name takes this one
        }
        reading = what(at, handle);
        if (reading == Reading.STATEMENT) {
            capture.beginStatement();
        }
        boolean text = reading == Reading.STATEMENT || reading == Reading.DECLARATION;
        if (text && dataType != DataType.NVARCHAR.code() && dataType != DataType.NTEXT.code()) {
            capture.spoil();
        }
        return reading != Reading.NOTHING;
    }

    private Reading what(int at, int handle) {
        if (at == handle) {
            return Reading.HANDLE;
        }
        if (!prepares(procedure)) {
            return Reading.NOTHING;
        }
        int statement = SystemProcedure.statementParameter(procedure);
        if (at == statement) {
            return Reading.STATEMENT;
        }
        if (at == SystemProcedure.declarationParameter(procedure)) {
            return Reading.DECLARATION;
        }
        return switch (procedure) {
            case SystemProcedure.CURSOR_PREPARE ->
                switch (at - statement) {
                    case 1 -> Reading.CURSOR_FLAGS;
                    case 2 -> Reading.CURSOR_SCROLL;
                    case 3 -> Reading.CURSOR_CONCURRENCY;
                    default -> Reading.NOTHING;
                };
            case SystemProcedure.CURSOR_PREP_EXEC ->
                switch (at - statement) {
                    case 1 -> Reading.CURSOR_SCROLL;
                    case 2 -> Reading.CURSOR_CONCURRENCY;
                    default -> Reading.NOTHING;
                };
            default -> Reading.NOTHING;
        };
    }

    /**
     * The value of a parameter that was asked for.
     *
     * @return the statement that the call executes; null if none that is known
     */
    @Nullable
    PreparedText integer(long value, int offset, int length) {
        ClientHandles own = handles;
        if (own == null) {
            return null;
        }
        switch (reading) {
            case HANDLE -> {
                PreparedText text = isGivenUp(value) ? null : own.find(procedure, value);
                places.add(calls, offset, length, procedure, value, text);
                if (text == null) {
                    return null;
                }
                if (HandlePlaces.executes(procedure)) {
                    return text;
                }
                givenBackBy(procedure).add((int) value);
            }
            case CURSOR_FLAGS -> capture.flags(value);
            case CURSOR_SCROLL -> capture.scroll(value);
            case CURSOR_CONCURRENCY -> capture.concurrency(value);
            case DECLARATION, STATEMENT -> capture.spoil();
            case NOTHING -> {}
        }
        return null;
    }

    /** Whether an earlier call of the message unprepares it. */
    private boolean isGivenUp(long number) {
        return number == (int) number && (givenBack.contains((int) number) || givenBackFirst.contains((int) number));
    }

    private IntBag givenBackBy(int procId) {
        if (HandlePlaces.isOldHandle(procId)) {
            return replaced;
        }
        return onlyGivesUp ? givenBackFirst : givenBack;
    }

    /** Bytes of a value that was asked for. Borrows the packet. */
    void bytes(ByteBuf packet, int index, int length) {
        switch (reading) {
            case HANDLE -> unreadable++;
            case DECLARATION, STATEMENT -> capture.append(packet, index, length);
            case CURSOR_FLAGS, CURSOR_SCROLL, CURSOR_CONCURRENCY -> capture.spoil();
            case NOTHING -> {}
        }
    }

    /** The statement of the call was scanned. */
    void scanned(TextFindings found, ProcedureRules rules) {
        if (handles != null && prepares(procedure)) {
            capture.scanned(found, rules);
        }
    }

    /** @param execute false for a call that was withdrawn: its result will be hard to tell */
    void callEnd(boolean execute) {
        reading = Reading.NOTHING;
        if (!execute) {
            ambiguous++;
            givenBack.clear();
            givenBackFirst.clear();
            replaced.clear();
            places.takeBack(calls);
        }
    }

    // Reading the response.

    /** Whether a returned integer is the handle of a statement that the request has prepared. */
    public boolean isNewHandle(int ordinal) {
        if (prepares == 0 || returned == prepares) {
            return false;
        }
        // With several calls it is unknown which one returned it; all that prepare return their handle first.
        return calls == 1
                ? ordinal == (byOrdinal ? SystemProcedure.preparedHandleParameter(procedure) : order)
                : ambiguous == 0 && ordinal == 0;
    }

    /** @param in the settings of the client's session; null if unknown */
    public PreparedText prepared(@Nullable PreparedIn in) {
        returned++;
        return capture.toText(kind, in);
    }

    /**
     * The response has ended.
     *
     * @param certain whether all of it has run without an error
     */
    public void end(ServerHandles server, boolean certain) {
        ClientHandles own = handles;
        if (own == null) {
            return;
        }
        if (returned < prepares) {
            server.stray(); // possibly prepared, with an unknown number
        }
        if (server.givesUpOld()) {
            giveBack(own, replaced); // even if preparing its replacement failed
        }
        giveBack(own, givenBackFirst);
        if (certain) {
            giveBack(own, givenBack);
        } else if (!givenBack.isEmpty() || !givenBackFirst.isEmpty()) {
            server.stray(); // possibly unprepared
        }
    }

    private static void giveBack(ClientHandles own, IntBag numbers) {
        for (int i = 0; i < numbers.size(); i++) {
            own.remove(numbers.get(i));
        }
    }
}
