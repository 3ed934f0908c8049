package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;

/** Passes on the text of a batch as its packets pass: UTF-16LE, in pieces that may cut a character in two. */
public final class SqlBatchWalker extends RequestWalker {
    private enum State {
        HEADERS_LENGTH,
        HEADERS,
        ENCLAVE_LENGTH,
        ENCLAVE,
        TEXT
    }

    /** Receives the text. */
    @FunctionalInterface
    public interface Sink {
        /** Borrows a packet for the call: {@code length} bytes of text are at {@code index}. */
        void text(ByteBuf packet, int index, int length);
    }

    private final RequestFormat format;
    private final Sink sink;
    private State state = State.TEXT;

    public SqlBatchWalker(RequestFormat format, Sink sink) {
        this.format = format;
        this.sink = sink;
    }

    @Override
    void begin() {
        if (format.version().hasAllHeaders()) {
            state = State.HEADERS_LENGTH;
            expectField(Integer.BYTES);
        } else {
            afterHeaders();
        }
    }

    private void afterHeaders() {
        if (format.enclavePackages()) {
            state = State.ENCLAVE_LENGTH;
            expectField(Short.BYTES);
        } else {
            text();
        }
    }

    private void text() {
        state = State.TEXT;
        expectRun(Long.MAX_VALUE);
    }

    @Override
    void onField(long value, ByteBuf packet, int index) {
        if (state == State.HEADERS_LENGTH) {
            state = State.HEADERS;
            expectHeaders(value);
        } else {
            state = State.ENCLAVE;
            expectRun(value);
        }
    }

    @Override
    void onRun(ByteBuf packet, int index, int length) {
        if (state == State.TEXT) {
            sink.text(packet, index, length);
        }
    }

    @Override
    void onRunEnd() {
        if (state == State.HEADERS) {
            afterHeaders();
        } else {
            text();
        }
    }

    @Override
    void end(boolean betweenFields) {
        if (state != State.TEXT) {
            throw new ProtocolException("the batch ends before its text");
        }
    }
}
