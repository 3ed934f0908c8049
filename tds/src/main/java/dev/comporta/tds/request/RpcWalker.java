package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/**
 * Passes the content of an RPC message to an {@link RpcSink} as its packets pass: which procedures it calls, and where the
 * values are of the parameters that the sink wants. Allocates nothing per call, parameter or row.
 */
public final class RpcWalker extends ParameterWalker {
    private enum State {
        HEADERS_LENGTH,
        HEADERS,
        NAME_LENGTH,
        NAME,
        PROC_ID,
        OPTIONS,
        ENCLAVE_LENGTH,
        ENCLAVE,
        PARAMETER_OR_END,
        PARAMETER_NAME,
        STATUS,
        /** From its type to the end of its value: {@link ParameterWalker} walks it. */
        PARAMETER
    }

    /** The ordinal before the first call of a message. */
    private static final int NO_CALL = -1;

    private final RequestFormat format;
    private final RpcSink sink;
    private final NameBuffer name = new NameBuffer();

    private State state = State.NAME_LENGTH;
    private int procId;
    private int ordinal;

    public RpcWalker(RequestFormat format, RpcSink sink) {
        super(format, sink);
        this.format = format;
        this.sink = sink;
    }

    /**
     * Whether the last packet ends within an integer that the sink wanted. A sink that replaces integers must hold that
     * packet back until the next one has been walked.
     */
    public boolean endsWithinInteger() {
        return state == State.PARAMETER && isIntegerCut();
    }

    @Override
    void begin() {
        ordinal = NO_CALL;
        if (format.version().hasAllHeaders()) {
            field(State.HEADERS_LENGTH, Integer.BYTES);
        } else {
            field(State.NAME_LENGTH, Short.BYTES);
        }
    }

    @Override
    void end(boolean betweenFields) {
        // The message may end after a flag that follows the last call.
        boolean afterFlag = state == State.NAME_LENGTH && ordinal != NO_CALL;
        if (!betweenFields || !(state == State.PARAMETER_OR_END || afterFlag)) {
            throw new ProtocolException("the RPC is cut short");
        }
        if (state == State.PARAMETER_OR_END) {
            sink.callEnd(true);
        }
    }

    @Override
    void onField(long value, ByteBuf packet, int index) {
        switch (state) {
            case PARAMETER -> onParameterField(value, packet, index);
            case HEADERS_LENGTH -> {
                state = State.HEADERS;
                expectHeaders(value);
            }
            case NAME_LENGTH -> nameLength((int) value);
            case PROC_ID -> {
                procId = (int) value;
                field(State.OPTIONS, Short.BYTES);
            }
            case OPTIONS -> {
                sink.options(procId, (int) value, packet, index);
                if (format.enclavePackages()) {
                    field(State.ENCLAVE_LENGTH, Short.BYTES);
                } else {
                    beginParameters();
                }
            }
            case ENCLAVE_LENGTH -> run(State.ENCLAVE, value);
            case PARAMETER_OR_END -> parameterOrEnd((int) value);
            case STATUS -> {
                state = State.PARAMETER;
                beginParameter(ordinal, name, (int) value);
            }
            case HEADERS, NAME, ENCLAVE, PARAMETER_NAME -> throw new IllegalStateException();
        }
    }

    @Override
    void onRun(ByteBuf packet, int index, int length) {
        if (state == State.PARAMETER) {
            onParameterRun(packet, index, length);
        } else if (state == State.NAME || state == State.PARAMETER_NAME) {
            name.append(packet, index, length);
        }
    }

    @Override
    void onRunEnd() {
        switch (state) {
            case PARAMETER -> onParameterRunEnd();
            case HEADERS -> field(State.NAME_LENGTH, Short.BYTES);
            case NAME -> {
                procId = SystemProcedure.byName(name);
                field(State.OPTIONS, Short.BYTES);
            }
            case ENCLAVE -> beginParameters();
            case PARAMETER_NAME -> field(State.STATUS, 1);
            case HEADERS_LENGTH, NAME_LENGTH, PROC_ID, OPTIONS, ENCLAVE_LENGTH, PARAMETER_OR_END, STATUS ->
                throw new IllegalStateException();
        }
    }

    private void nameLength(int chars) {
        procId = SystemProcedure.NONE;
        if (chars == RpcCall.BY_NUMBER) {
            name.begin(0);
            field(State.PROC_ID, Short.BYTES);
        } else {
            name.begin(chars);
            run(State.NAME, 2L * chars);
        }
    }

    private void beginParameters() {
        sink.call(procId, name);
        ordinal = 0;
        field(State.PARAMETER_OR_END, 1);
    }

    private void parameterOrEnd(int value) {
        if (RpcCall.isEndOfCall(value, format)) {
            sink.callEnd(value != RpcCall.NO_EXEC);
            field(State.NAME_LENGTH, Short.BYTES);
        } else {
            name.begin(value);
            run(State.PARAMETER_NAME, 2L * value);
        }
    }

    @Override
    void parameterEnd() {
        ordinal++;
        field(State.PARAMETER_OR_END, 1);
    }

    private void field(State next, int length) {
        state = next;
        expectField(length);
    }

    private void run(State next, long length) {
        state = next;
        expectRun(length);
    }
}
