package dev.comporta.proxy.relay;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.relay.known.SessionKnowledge;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.RidingReset;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A logged-in, shared server connection, and the client that it serves. Requests and responses are in {@link Exchange}, what
 * is known of the session in {@link SessionKnowledge}. Confined to its bucket's loop.
 */
public final class PooledServer extends ServerLine {
    /** What the connection does, and for whom the response is that is being read. */
    private enum State {
        /** No request: the server sends only when asked. */
        IDLE,
        /** The request of the client that has the connection. */
        CLIENT,
        /** The proxy's own request, whose answer no client sees. */
        OWN,
        /** The request of a client that has disconnected: its response is read to the end and dropped. */
        ABANDONED,
        /** FIN was sent, and the server has not closed its side yet. */
        CLOSING,
        CLOSED
    }

    private final ServerOwner owner;
    private final RelayCounters counters;
    private final LoginResponse login;
    private final SessionKnowledge session;
    private final Exchange exchange;
    private final ResponseTracker tracker;
    private @Nullable OwnQuestions questions;

    private State state = State.IDLE;
    private @Nullable PooledClient client;
    /** Since when the server has owed an answer that has a timeout. */
    private long owesSince;

    public PooledServer(ServerOwner owner, ServerConnection connection, LoginResponse login) {
        super(connection);
        this.owner = owner;
        counters = owner.counters();
        this.login = login;
        session = new SessionKnowledge(login.database());
        exchange = new Exchange(login, session, counters, owner::now, this::returned, this::send);
        tracker = exchange.tracker();
    }

    public LoginResponse login() {
        return login;
    }

    /** The present request and its response. */
    Exchange exchange() {
        return exchange;
    }

    RequestInspector inspector() {
        return exchange.inspector();
    }

    /** What is known of its session. */
    public SessionKnowledge session() {
        return session;
    }

    /** The proxy's own requests. The connection must be idle. */
    public OwnQuestions questions() {
        return Objects.requireNonNull(questions);
    }

    /** The tracker of its responses. */
    ResponseTracker tracker() {
        return tracker;
    }

    /** Whether it is certain that no transaction is open. */
    public boolean isOutsideTransaction() {
        return state == State.IDLE && tracker.transaction().isSurelyOver();
    }

    /** Whether it still answers a client that has disconnected. */
    public boolean isAnswering() {
        return state == State.ABANDONED;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        questions = new OwnQuestions(this::beginQuestion, this, counters, ctx.alloc(), (packets, end) -> {
            counters.countAllSent(packets);
            write(packets);
            flush();
        });
    }

    private void beginQuestion() {
        if (state != State.IDLE) {
            throw new IllegalStateException("a question while " + state);
        }
        exchange.beginOwn();
        state = State.OWN;
        owesSince = owner.now();
    }

    // Use by a client.

    void attach(PooledClient newClient) {
        client = newClient;
    }

    void detach() {
        client = null;
        reading(true);
    }

    /** See {@link Exchange#begin}. */
    void beginRequest(ByteBuf first, boolean addReset) {
        exchange.begin(first, addReset);
        state = State.CLIENT;
    }

    /** Sends a packet of a request. Takes the packet. */
    void forward(ByteBuf packet) {
        counters.countSent(packet);
        write(packet);
    }

    void sendAttention() {
        tracker.cancel();
        owesSince = owner.now();
        if (!exchange.holdsAttention()) {
            questions().attention();
        }
    }

    /** The client cancels a request of which only a part has arrived. */
    void cutShort() {
        inspector().cutShort();
        // Spent: the server might take the next client's packets as the rest of this request.
        session.spend();
        sendAttention();
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    void reading(boolean on) {
        if (isOpen()) {
            ctx().channel().config().setAutoRead(on);
        }
    }

    /** The client has disconnected: what the server still sends is read and dropped. */
    public void abandon() {
        client = null;
        switch (state) {
            case IDLE -> exchange.abandon(); // its response has just ended
            case CLIENT -> abandonResponse();
            case OWN -> { // answered at once: a client that writes a row and leaves must not cost a connection
                state = State.ABANDONED;
                questions().forget();
                tracker.transaction().doubt();
            }
            case ABANDONED, CLOSING, CLOSED -> {}
        }
    }

    /** Has the response stopped, and reads what is left of it. */
    private void abandonResponse() {
        if (tracker.isUnreadable()) {
            close(); // the end of its response is hard to find
            return;
        }
        state = State.ABANDONED;
        exchange.abandon();
        reading(true);
        if (!tracker.isCancelling() && !tracker.hasEnded()) { // it may have ended while the last packet was sent to it
            sendAttention();
        }
    }

    // Closing.

    /** Closes the connection, which is unusable for any reason. */
    public void close() {
        if (isOpen()) {
            state = State.CLOSING;
            hangUp();
        }
    }

    public boolean isClosing() {
        return state == State.CLOSING;
    }

    private boolean isOpen() {
        return state != State.CLOSING && state != State.CLOSED;
    }

    /**
     * Closes a connection whose server has owed an answer for too long: to an attention, or to the proxy's own request. A
     * client's request has no limit here; complete tokens of its response are sent meanwhile.
     */
    public void check(ClientLimits limits, long now) {
        PooledClient reads = client;
        if (state == State.CLIENT && reads != null && reads.isWritable()) {
            exchange.check();
            reads.flush();
        }
        boolean owes = state == State.OWN || state == State.ABANDONED || tracker.isCancelling();
        if (owes && isOpen() && limits.isCancelOver(now - owesSince)) {
            cutOff(new ProtocolException("the server has not answered within cancel_timeout"));
        }
    }

    /** From now on no client may get the connection, or anything that the server still sends. */
    @Override
    protected void ending() {
        if (state != State.CLOSED) {
            state = State.CLOSING;
        }
    }

    @Override
    protected void broken() {
        if (state == State.CLOSING) {
            lost(owner::serverBroken);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        lost(owner::serverClosed);
    }

    /** Reports to the pool first, which gives the client another connection. */
    private void lost(Consumer<PooledServer> pool) {
        PooledClient had = client;
        client = null;
        exchange.releaseHeldBack();
        questions().forget();
        pool.accept(this);
        if (had != null) {
            had.serverLost();
        }
    }

    // Packets from the server.

    @Override
    protected void received(ByteBuf packet) {
        if (!isOpen()) {
            packet.release();
            return;
        }
        counters.packetsReceived++;
        int type = PacketHeader.type(packet);
        if (type == PacketType.TABULAR_RESULT) {
            answered(packet);
        } else {
            refuse(packet, "%s from the server".formatted(PacketType.name(type)));
        }
    }

    private void refuse(ByteBuf packet, String why) {
        packet.release();
        cutOff(new ProtocolException(why));
    }

    private void answered(ByteBuf packet) {
        noteSpid(packet);
        if (tracker.isCancelling() && exchange.holdsAttention()) {
            owesSince = owner.now();
            questions().attention();
        }
        RidingReset.Answer toReset = exchange.toReset(packet);
        if (toReset == RidingReset.Answer.MISSING) {
            refuse(packet, "the server does not acknowledge the reset first");
            return;
        }
        switch (exchange.read(packet, toReset)) {
            case MORE -> {
                if (state != State.CLIENT || !tracker.endsWithinReturnedNumber()) {
                    pass(packet);
                } else if (!exchange.holdBack(packet)) {
                    refuse(packet, "the server split a returned number over more than two packets");
                }
            }
            case END -> {
                if (!isRepeated(packet)) {
                    pass(packet);
                    responseEnded();
                }
            }
            case UNASKED -> refuse(packet, "unexpected packet from the server: no request is outstanding");
            case UNREADABLE -> unreadable(packet);
        }
    }

    /** Repeats a request with the statement's text if the server does not know its handle, for any reason: nothing has run. */
    private boolean isRepeated(ByteBuf packet) {
        if (state != State.CLIENT
                || !exchange.isLostHandle(packet)
                || !Objects.requireNonNull(client).mayRepeat()) {
            return false;
        }
        packet.release();
        state = State.IDLE;
        session.handles().forget();
        client.repeat();
        return true;
    }

    /**
     * The response can't be parsed. A waiting client gets it all the same, and keeps the connection, which no other client can
     * use.
     */
    private void unreadable(ByteBuf packet) {
        if (state != State.CLIENT) {
            refuse(packet, tracker.complaint());
            return;
        }
        exchange.lose(connection());
        answered(packet);
    }

    private void pass(ByteBuf packet) {
        switch (state) {
            case CLIENT -> {
                exchange.pass(packet);
                return;
            }
            case OWN -> questions().read(packet);
            case ABANDONED, IDLE, CLOSING, CLOSED -> exchange.releaseHeldBack();
        }
        packet.release();
    }

    /** Writing may close the client at once, even between two packets that are sent together. */
    private void send(ByteBuf packet) {
        if (state == State.CLIENT && client != null) {
            exchange.passed();
            client.forward(packet);
        } else {
            packet.release();
        }
    }

    private void responseEnded() {
        if (!isOpen()) {
            return; // its client had sent a part of its request, and has proved to be gone
        }
        State whose = state;
        state = State.IDLE;
        switch (whose) {
            case CLIENT -> Objects.requireNonNull(client).responseEnded(this);
            case OWN -> questions().ended();
            case ABANDONED -> owner.abandonedEnded(this);
            case IDLE, CLOSING, CLOSED -> throw new IllegalStateException("a response ended while " + whose);
        }
    }

    private long returned(int ordinal, long value) {
        return switch (state) {
            case CLIENT -> Objects.requireNonNull(client).returned(ordinal, value);
            case OWN -> questions().returned(ordinal, value);
            case ABANDONED, IDLE, CLOSING, CLOSED -> value;
        };
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (client != null) {
            client.flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (client != null) {
            client.serverReads(ctx.channel().isWritable());
        }
    }
}
