package dev.comporta.e2e.sessions;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SqlBatch;
import dev.comporta.tds.request.TransactionRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One request of a session, and how it is sent.
 *
 * @param packetBytes what a packet holds of the body at most
 */
record Step(Request request, Reset reset, int packetBytes, Interruption interruption) {
    /** More than any request has. */
    static final int WHOLE = 4000;

    /** What is asked for. */
    sealed interface Request {}

    /** @param text with {@link Handles#place} where numbers of handles go */
    record Batch(String text) implements Request {
        @Override
        public String toString() {
            return text;
        }
    }

    record Calls(List<Call> calls) implements Request {
        @Override
        public String toString() {
            return calls.stream().map(Call::toString).collect(Collectors.joining(" + ", "RPC ", ""));
        }
    }

    record Manager(TransactionRequest.Action action) implements Request {
        @Override
        public String toString() {
            return "TM " + action;
        }
    }

    /** Whether the client has its session reset before the request. */
    enum Reset {
        NONE(0),
        RESET(PacketHeader.STATUS_RESETCONNECTION),
        RESET_SKIPPING_TRANSACTION(PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN);

        final int status;

        Reset(int status) {
            this.status = status;
        }
    }

    /** How a request is disturbed. */
    enum Interruption {
        NONE,
        /** Attention right behind it. */
        AT_ONCE,
        /** Attention as soon as the first packet of the response is there. */
        AFTER_FIRST_PACKET,
        /** Attention when the response is whole. */
        WHEN_OVER,
        /** The last packet takes the request back. */
        GIVEN_UP
    }

    static Step batch(String text) {
        return new Step(new Batch(text), Reset.NONE, WHOLE, Interruption.NONE);
    }

    boolean hasSeveralCalls() {
        return request instanceof Calls(List<Call> calls) && calls.size() > 1;
    }

    static Step calls(Call... calls) {
        return new Step(new Calls(List.of(calls)), Reset.NONE, WHOLE, Interruption.NONE);
    }

    static Step manager(TransactionRequest.Action action) {
        return new Step(new Manager(action), Reset.NONE, WHOLE, Interruption.NONE);
    }

    Step with(Reset other) {
        return new Step(request, other, packetBytes, interruption);
    }

    Step inPackets(int bytes) {
        return new Step(request, reset, bytes, interruption);
    }

    Step with(Interruption other) {
        return new Step(request, reset, packetBytes, other);
    }

    /** The type of its message. */
    int type() {
        return switch (request) {
            case Batch _ -> PacketType.SQL_BATCH;
            case Calls _ -> PacketType.RPC;
            case Manager _ -> PacketType.TRANSACTION_MANAGER;
        };
    }

    ByteBuf body(TdsVersion version, long transaction, Handles handles) {
        AllHeaders headers = AllHeaders.inTransaction(transaction);
        RequestFormat format = RequestFormat.of(version);
        ByteBuf body = Unpooled.buffer();
        switch (request) {
            case Batch batch -> new SqlBatch(headers, handles.fill(batch.text)).write(body, format);
            case Calls calls ->
                new RpcRequest(
                                headers,
                                calls.calls.stream()
                                        .map(call -> new RpcRequest.Entry(call.wire(handles), call.execute()))
                                        .toList())
                        .write(body, format);
            case Manager manager -> new TransactionRequest(headers, manager.action).write(body, format);
        }
        return body;
    }

    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder(request.toString());
        if (reset != Reset.NONE) {
            shown.append("  -- ").append(reset);
        }
        if (packetBytes != WHOLE) {
            shown.append("  -- in packets of ").append(packetBytes);
        }
        if (interruption != Interruption.NONE) {
            shown.append("  -- ").append(interruption);
        }
        return shown.toString();
    }
}
