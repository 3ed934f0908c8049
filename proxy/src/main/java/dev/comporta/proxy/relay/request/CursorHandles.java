package dev.comporta.proxy.relay.request;

import dev.comporta.proxy.prepared.IntBag;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;

/**
 * The cursors that a request closes, and the places of new ones in the response. An open cursor is a position in a result
 * that one session has, so its handle pins. One for each server connection, as its {@link RequestInspector}.
 */
public final class CursorHandles {
    private final boolean byOrdinal;

    private final IntBag closed = new IntBag();
    private boolean opening;
    private int calls;
    private boolean certain;

    // The call that is being read.
    private int procedure;
    private int parameter;
    /** The parameter's position among those that come back, which alone identifies it before TDS 7.2. */
    private int order;

    private int outputs;
    /** The cursor that the call closes if it is executed; 0 for none. */
    private int closing;

    public CursorHandles(TdsVersion version) {
        byOrdinal = version.hasReturnOrdinals();
    }

    public void begin() {
        closed.clear();
        opening = false;
        calls = 0;
        certain = true;
        beginCall(SystemProcedure.NONE);
    }

    public void call(int procId) {
        calls++;
        beginCall(procId);
        opening |= procId == SystemProcedure.CURSOR_OPEN
                || procId == SystemProcedure.CURSOR_EXECUTE
                || procId == SystemProcedure.CURSOR_PREP_EXEC;
    }

    private void beginCall(int procId) {
        procedure = procId;
        parameter = SystemProcedure.cursorHandleParameter(procId);
        order = SystemProcedure.NO_PARAMETER;
        outputs = 0;
        closing = 0;
    }

    /** @return whether it is a cursor to be closed, so that its value is needed */
    public boolean parameter(int at, int status) {
        if ((status & RpcParameter.STATUS_OUTPUT) != 0) {
            if (at == parameter) {
                order = outputs;
            }
            outputs++;
        }
        return procedure == SystemProcedure.CURSOR_CLOSE && at == parameter;
    }

    /** The value of a parameter that was asked for. */
    public void integer(long value) {
        if (procedure == SystemProcedure.CURSOR_CLOSE) {
            closing = (int) value;
        }
    }

    /**
     * @param execute false for a call that was withdrawn. Then the request is assumed to close nothing: a cursor that the
     *     client still has must keep pinning it
     */
    public void callEnd(boolean execute) {
        if (!execute) {
            lose();
        } else if (closing != 0 && certain) {
            close(closing);
        }
        closing = 0;
    }

    private void close(int handle) {
        if (closed.size() < PinBook.MOST_CURSORS || closed.contains(handle)) {
            closed.add(handle);
        } else {
            lose();
        }
    }

    /** It is unknown which cursors it closes: none is assumed closed. */
    void lose() {
        certain = false;
        closed.clear();
    }

    /**
     * An integer was returned. With several calls in one message it is unknown which one returned it: an unnecessary pin is
     * the lesser evil. If the same request has closed a cursor of that number, this is a new one: servers reuse numbers.
     */
    public void returned(int ordinal, long value, PinBook pins) {
        int handle = (int) value;
        // A cursor with handle 0 was read to its end and closed at once.
        if (opening && handle != 0 && (calls > 1 || ordinal == (byOrdinal ? parameter : order))) {
            closed.remove(handle);
            pins.cursor(handle);
        }
    }

    /** The response has ended. */
    public void close(PinBook pins) {
        pins.closed(closed);
    }
}
