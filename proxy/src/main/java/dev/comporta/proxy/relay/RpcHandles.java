package dev.comporta.proxy.relay;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;

/**
 * The handles of prepared statements and cursors that a request of the client's gives back, and where in the response new
 * ones come. One for each server connection, as the {@link RequestInspector} it belongs to.
 */
final class RpcHandles {
    private final boolean byOrdinal;

    private final IntBag unprepared = new IntBag();
    private final IntBag closedCursors = new IntBag();
    private boolean preparing;
    private boolean openingCursor;
    private int calls;
    private boolean certain;

    // Of the call that is being read.
    private int procedure;
    private int handleParameter;
    private int cursorParameter;
    /** The two again, counted among the parameters that come back: all that tells them apart before TDS 7.2. */
    private int handleOrder;

    private int cursorOrder;
    private int outputs;
    /** A handle that the call gives back if it is executed. */
    private int given;

    private boolean givesBack;

    RpcHandles(TdsVersion version) {
        byOrdinal = version.hasReturnOrdinals();
    }

    void begin() {
        unprepared.clear();
        closedCursors.clear();
        preparing = false;
        openingCursor = false;
        calls = 0;
        certain = true;
        beginCall(SystemProcedure.NONE);
    }

    void call(int procId) {
        calls++;
        beginCall(procId);
        switch (procId) {
            case SystemProcedure.PREPARE,
                    SystemProcedure.PREP_EXEC,
                    SystemProcedure.PREP_EXEC_RPC,
                    SystemProcedure.CURSOR_PREPARE -> preparing = true;
            case SystemProcedure.CURSOR_PREP_EXEC -> {
                preparing = true;
                openingCursor = true;
            }
            case SystemProcedure.CURSOR_OPEN, SystemProcedure.CURSOR_EXECUTE -> openingCursor = true;
            default -> {}
        }
    }

    private void beginCall(int procId) {
        procedure = procId;
        handleParameter = SystemProcedure.preparedHandleParameter(procId);
        cursorParameter = SystemProcedure.cursorHandleParameter(procId);
        handleOrder = SystemProcedure.NO_PARAMETER;
        cursorOrder = SystemProcedure.NO_PARAMETER;
        outputs = 0;
        givesBack = false;
    }

    /** @return whether it is a handle that is given back, so that its value is wanted */
    boolean parameter(int at, int status) {
        if ((status & RpcParameter.STATUS_OUTPUT) != 0) {
            if (at == handleParameter) {
                handleOrder = outputs;
            }
            if (at == cursorParameter) {
                cursorOrder = outputs;
            }
            outputs++;
        }
        return (isUnpreparing() && at == handleParameter) || (isClosing() && at == cursorParameter);
    }

    private boolean isUnpreparing() {
        return procedure == SystemProcedure.UNPREPARE || procedure == SystemProcedure.CURSOR_UNPREPARE;
    }

    private boolean isClosing() {
        return procedure == SystemProcedure.CURSOR_CLOSE;
    }

    /** The value of a parameter that was wanted. */
    void integer(long value) {
        given = (int) value;
        givesBack = true;
    }

    /**
     * @param execute false for a call that was taken back. Then the request is not believed to give back anything: a handle
     *     that the client still has must go on pinning it
     */
    void callEnd(boolean execute) {
        if (!execute) {
            lose();
        } else if (givesBack && certain) {
            (isUnpreparing() ? unprepared : closedCursors).add(given);
        }
        givesBack = false;
    }

    /** Which handles it gives back is not known: none, then. */
    void lose() {
        certain = false;
        unprepared.clear();
        closedCursors.clear();
    }

    /**
     * An integer came back. Of several calls in one message it is not told whose value it is: better a pin too many. Where
     * the same request has given a handle of that number back, this is a new one: servers use numbers again.
     */
    void returned(int ordinal, long value, PinBook pins) {
        boolean several = calls > 1;
        int handle = (int) value;
        if (preparing && (several || ordinal == (byOrdinal ? handleParameter : handleOrder))) {
            unprepared.remove(handle);
            pins.preparedHandle(handle);
        }
        // A cursor whose handle is 0 was read to its end and closed at once.
        if (openingCursor && handle != 0 && (several || ordinal == (byOrdinal ? cursorParameter : cursorOrder))) {
            closedCursors.remove(handle);
            pins.cursor(handle);
        }
    }

    /** The response is over. */
    void giveBack(PinBook pins) {
        pins.gaveBack(unprepared, closedCursors);
    }
}
