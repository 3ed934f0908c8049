package dev.comporta.proxy.relay;

import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.prepared.ExecuteSqlCall;
import dev.comporta.proxy.prepared.PreparedIn;
import dev.comporta.proxy.prepared.PreparedText;
import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.prepared.UnprepareBatch;
import dev.comporta.proxy.relay.known.HandOver;
import dev.comporta.proxy.relay.request.HandlePlaces;
import dev.comporta.proxy.relay.request.PreparedCalls;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.HandleRefusal;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcHead;
import dev.comporta.tds.request.SqlBatch;
import dev.comporta.tds.request.SystemProcedure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a request with handles of prepared statements is sent, or what the proxy answers itself. One for each client,
 * for all its requests. Confined to its bucket's loop.
 */
final class PreparedPath {
    enum Way {
        /** As it is: the connection has what the request needs; or nothing can be done, and the server reports it. */
        AS_IT_IS,
        /** With the statement's text instead of its handle. */
        AS_TEXT,
        /** The statement is prepared on this connection first. */
        PREPARE_FIRST,
        /** It is not sent: the proxy answers as the server would. */
        REFUSE
    }

    private static final ServerHandles NO_HANDLES = new ServerHandles();

    private final ClientState state;
    private final HeldPackets held;
    private final RequestFormat format;

    /** The statement that was prepared for the present request; that may have failed. */
    private @Nullable PreparedText tried;

    private @Nullable HandleRefusal refusal;
    /** Whether the present request is sent with a text in place of its handle. */
    private boolean asText;
    /** The last request, as long as it may have to be sent again, and the statement that it executes. */
    private @Nullable ByteBuf kept;

    private @Nullable PreparedText keptText;
    private int keptIndex;
    private int keptEnd;
    private int handleEnd;

    PreparedPath(ClientState state, HeldPackets held, RequestFormat format) {
        this.state = state;
        this.held = held;
        this.format = format;
    }

    void begin() {
        tried = null;
        asText = false;
    }

    // Before the request has a connection.

    /** Whether the held request calls, or may call, a procedure that takes a handle: it is gathered before it is sent. */
    boolean mayNameHandle() {
        ByteBuf first = held.first();
        if (state.handles() == null) {
            return false;
        }
        boolean complete = PacketHeader.isEndOfMessage(first);
        return switch (PacketHeader.type(first)) {
            case PacketType.RPC -> !complete || callsByHandle(first);
            case PacketType.SQL_BATCH -> !complete && mayUnprepare(first);
            default -> false;
        };
    }

    private boolean callsByHandle(ByteBuf first) {
        return head().read(first, format)
                && SystemProcedure.preparedHandleParameter(head().procedure()) != SystemProcedure.NO_PARAMETER;
    }

    /** Whether a batch may be one that unprepares handles, as far as its first packet shows. */
    private boolean mayUnprepare(ByteBuf first) {
        int textAt = SqlBatch.textAt(first, first.readerIndex() + PacketHeader.LENGTH, format);
        return isTiny(first) || (textAt >= 0 && UnprepareBatch.maybe(first, textAt));
    }

    /** Whether the first packet is unusually small, so that it may not show what the request is. */
    private static boolean isTiny(ByteBuf first) {
        return !PacketHeader.isEndOfMessage(first) && first.readableBytes() < PacketHeader.MIN_PACKET_SIZE;
    }

    private RpcHead head() {
        return Objects.requireNonNull(state.handles()).bucket().head();
    }

    /**
     * Unprepares handles without asking the server, if the held request asks for nothing else. The server's own handles for
     * them may serve other clients, or are unprepared when there are enough.
     *
     * @param server the connection that the client keeps; null if it has none
     * @return whether the request is done, and answered
     */
    boolean giveBack(@Nullable PooledServer server, ProxyAnswers answers, PooledClient client) {
        ClientHandles handles = state.handles();
        ByteBuf first = held.first();
        if (handles == null || !held.hasMessage() || HandOver.asksReset(first)) {
            return false;
        }
        return switch (PacketHeader.type(first)) {
            case PacketType.RPC -> giveBackByCall(handles, first, server, answers, client);
            case PacketType.SQL_BATCH -> giveBackByText(handles, first, server, answers, client);
            default -> false;
        };
    }

    private boolean giveBackByCall(
            ClientHandles handles,
            ByteBuf first,
            @Nullable PooledServer server,
            ProxyAnswers answers,
            PooledClient client) {
        RpcHead head = head();
        if (!head.read(first, format) || !head.isAll(first) || !SystemProcedure.unprepares(head.procedure())) {
            return false;
        }
        PreparedText text = handles.find(head.procedure(), head.integer());
        boolean byServer =
                server != null && (text == null || server.session().handles().find(text) != ServerHandles.NONE);
        if (byServer) {
            return false;
        }
        int number = (int) head.integer();
        if (text == null) {
            answers.refused(client.ctx(), HandleRefusal.unknown(number, head.procedure()));
        } else {
            handles.remove(number);
            answers.unprepared(client.ctx());
        }
        return true;
    }

    private boolean giveBackByText(
            ClientHandles handles,
            ByteBuf first,
            @Nullable PooledServer server,
            ProxyAnswers answers,
            PooledClient client) {
        if (!mayUnprepare(first)) {
            return false;
        }
        ByteBuf message = held.payload(client.ctx().alloc());
        @Nullable List<UnprepareBatch.Call> calls;
        try {
            int at = SqlBatch.textAt(message, 0, format);
            calls = at < 0 ? null : UnprepareBatch.read(message.readerIndex(at));
        } finally {
            message.release();
        }
        if (calls == null) {
            return false;
        }
        boolean[] known = new boolean[calls.size()];
        for (int i = 0; i < known.length; i++) {
            UnprepareBatch.Call call = calls.get(i);
            PreparedText text = handles.find(call.procedure(), call.handle());
            if (text == null) {
                continue;
            }
            known[i] = true;
            if (server != null && !text.hasSeveralHolders()) {
                server.session().handles().spare(text);
            }
            handles.remove(call.handle());
        }
        answers.unprepared(client.ctx(), calls, known);
        return true;
    }

    /** The statement that the client executes next, if visible; a connection that has it is preferred. */
    @Nullable
    PreparedText wanted() {
        ClientHandles handles = state.handles();
        if (handles == null || PacketHeader.type(held.first()) != PacketType.RPC) {
            return null;
        }
        RpcHead head = head();
        boolean executes =
                head.read(held.first(), format) && head.hasInteger() && HandlePlaces.executes(head.procedure());
        return executes ? handles.find(head.procedure(), head.integer()) : null;
    }

    // When it has a connection.

    /**
     * Decides how to send the request, which was read.
     *
     * @param plan whether the session will be reset before
     * @param keeps whether the client has kept the connection
     */
    Way way(PooledServer given, HandOver plan, boolean keeps) {
        PreparedCalls calls = given.inspector().prepared();
        HandlePlaces places = calls.places();
        if (calls.isUnreadable()) {
            if (HandOver.asksReset(held.first())) {
                throw new ProtocolException("a handle that is no integer, with a reset that is the server's to do");
            }
            return refuse(HandleRefusal.unknown(0, SystemProcedure.EXECUTE));
        }
        if (places.size() == 0) {
            return Way.AS_IT_IS;
        }
        boolean one = calls.isOneCall() && given.inspector().isComplete();
        PreparedText first = places.text(0);
        // A reset that the client asks for must be acknowledged by the server, whatever the result of the call.
        boolean mayRefuse = one && !HandlePlaces.isOldHandle(places.procedure(0)) && !HandOver.asksReset(held.first());
        if (mayRefuse && !keeps && first == null) {
            return refuse(HandleRefusal.unknown(places.number(0), places.procedure(0)));
        }
        if (mayRefuse
                && first != null
                && HandlePlaces.executes(places.procedure(0))
                && (!keeps || given.isOutsideTransaction())
                && isOtherContext(given, first)) {
            return refuse(HandleRefusal.otherContext(places.number(0)));
        }
        ServerHandles present = plan == HandOver.AS_IT_IS ? given.session().handles() : NO_HANDLES;
        PreparedIn in = state.preparedIn();
        if (in != null) {
            places.substituteGivenUp(present, in);
        }
        PreparedText missing = places.missing(present, given.session().isSqlServer() ? in : null);
        if (missing == null) {
            return Way.AS_IT_IS;
        }
        // A statement that can't be prepared here has its own error, which the server reports.
        boolean failed = missing.equals(tried);
        if (one && places.procedure(0) == SystemProcedure.EXECUTE && (failed || takesText(given, missing, places))) {
            return Way.AS_TEXT;
        }
        if (failed) {
            return Way.AS_IT_IS;
        }
        if (plan != HandOver.APPLY_FIRST) {
            tried = missing; // otherwise it is prepared after the settings are applied
        }
        return Way.PREPARE_FIRST;
    }

    /** Whether the session's settings differ from the statement's. Babelfish executes it nevertheless. */
    private boolean isOtherContext(PooledServer given, PreparedText text) {
        PreparedIn in = state.preparedIn();
        return given.session().isSqlServer()
                && !text.isBound()
                && in != null
                && !text.preparedIn().equals(in);
    }

    /**
     * Whether the server accepts the text instead. Babelfish accepts unnamed parameters for sp_execute, but for sp_executesql
     * only if the first is named like this.
     */
    private boolean takesText(PooledServer given, PreparedText text, HandlePlaces places) {
        return given.session().isSqlServer()
                || text.declaration().length == 0
                || text.declares("@P0 ")
                || text.declares("@P1 ")
                || isNamed(places.offset(0) + places.length(0));
    }

    /** Whether the parameter at this offset of the held request has a name, as far as its first packet shows. */
    private boolean isNamed(int offset) {
        ByteBuf first = held.first();
        int index = first.readerIndex() + PacketHeader.LENGTH + offset;
        return index < first.writerIndex() && first.getByte(index) != 0;
    }

    private Way refuse(HandleRefusal why) {
        refusal = why;
        return Way.REFUSE;
    }

    /** The error for {@link Way#REFUSE}. */
    HandleRefusal refusal() {
        return Objects.requireNonNull(refusal);
    }

    /** The statement for {@link Way#PREPARE_FIRST}. */
    PreparedText toPrepare() {
        return Objects.requireNonNull(tried);
    }

    void count(boolean failed) {
        if (!failed) {
            Objects.requireNonNull(state.handles()).bucket().counters().preparedAgain++;
        }
    }

    /** Replaces the handle in the held request by the statement's text. */
    void putText(PooledServer given, ByteBufAllocator allocator) {
        HandlePlaces places = given.inspector().prepared().places();
        putText(given, allocator, Objects.requireNonNull(places.text(0)), places.offset(0) + places.length(0));
        places.clear();
    }

    private void putText(PooledServer given, ByteBufAllocator allocator, PreparedText text, int end) {
        ByteBuf payload = held.payload(allocator);
        List<ByteBuf> packets;
        try {
            packets = new ExecuteSqlCall(format, given.login().packetSize(), allocator).packets(payload, end, text);
        } finally {
            payload.release();
        }
        held.removeMessage();
        held.addFirst(packets);
        asText = true;
        Objects.requireNonNull(state.handles()).bucket().counters().asText++;
    }

    /** The request was sent, and its response is next. */
    void sent(PooledServer given) {
        if (asText) {
            given.tracker().shiftOrdinals(ExecuteSqlCall.ORDINAL_SHIFT);
        }
    }

    // If the server does not know the handle.

    /**
     * Keeps a request that is about to be sent with a handle, in case the server does not know it, if that is cheap. Not one that
     * may run more than its text: a procedure can do its work without reporting it, and then fail because of a handle of its own.
     */
    void keep(PooledServer given) {
        drop();
        RequestInspector request = given.inspector();
        HandlePlaces places = request.prepared().places();
        if (places.size() == 1
                && places.procedure(0) == SystemProcedure.EXECUTE
                && request.runsOnlyItsText()
                && isAt(given, places.text(0))
                && PacketHeader.isEndOfMessage(held.first())) {
            kept = held.first().retain();
            keptIndex = held.first().readerIndex();
            keptEnd = held.first().writerIndex();
            keptText = places.text(0);
            handleEnd = places.offset(0) + places.length(0);
        }
    }

    private static boolean isAt(PooledServer given, @Nullable PreparedText text) {
        return text != null && !text.isBound() && given.session().handles().has(text);
    }

    boolean mayRepeat() {
        return kept != null;
    }

    /** Holds the kept request again, with the statement's text in place of its handle. */
    void repeat(PooledServer given, ByteBufAllocator allocator) {
        ByteBuf packet = Objects.requireNonNull(kept).setIndex(keptIndex, keptEnd);
        kept = null;
        held.addFirst(List.of(packet));
        putText(given, allocator, Objects.requireNonNull(keptText), handleEnd);
        keptText = null;
    }

    /** Drops the kept request: the response has begun, or nobody waits for it. */
    void drop() {
        if (kept != null) {
            kept.release();
            kept = null;
            keptText = null;
        }
    }
}
