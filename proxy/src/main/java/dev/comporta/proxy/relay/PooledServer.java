package dev.comporta.proxy.relay;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.relay.RequestFindings.Trait;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.sql.Finding.Effect;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A server connection that is logged in and shared: who is answered on it. What the packets mean is for {@link
 * ResponseTracker}, what is known of the session for {@link SessionKnowledge}. Confined to its bucket's loop.
 */
public final class PooledServer extends ServerLine {
    /** Whose answer is being read. */
    private enum State {
        /** Nobody's: the server speaks only when spoken to. */
        IDLE,
        /** The client's that has the connection. */
        CLIENT,
        /** The proxy's own question's: no client sees it. */
        OWN,
        /** That of a client which has left: read to its end, and dropped. */
        ABANDONED,
        /** Nobody's any more: the server has been told, and has not hung up yet. */
        CLOSING,
        CLOSED
    }

    /** Told what becomes of the connection as a whole. */
    public interface Owner {
        /** It is of no use any more, and is being closed: the server may count it still. */
        void serverBroken(PooledServer server);

        /** The network connection has ended. */
        void serverClosed(PooledServer server);

        /** What a client left running has come to its end. */
        void abandonedEnded(PooledServer server);

        /** Nanoseconds since some moment. */
        long now();

        /** What is counted of the bucket's traffic. */
        RelayCounters counters();
    }

    /**
     * A connection that is idle for so long serves at most 200 requests per second: what a look at it costs does not show.
     * The event loop, which hears of an end within its present round, is mostly faster than this.
     */
    private static final long WORTH_A_LOOK_NANOS = 5_000_000L;

    private static final Logger log = LoggerFactory.getLogger(PooledServer.class);

    private final Owner owner;
    private final RelayCounters counters;
    private final LoginResponse login;
    private final RequestInspector inspector;
    private final RidingReset reset;
    private final SessionKnowledge session;
    private final ResponseTracker tracker;
    private @Nullable OwnQuestions questions;

    private State state = State.IDLE;
    private @Nullable PooledClient client;
    /** A packet that ends within a number that may have to be replaced: it waits for the next. */
    private @Nullable ByteBuf heldBack;
    /** How many packets of the present response the client was sent. */
    private int packetsPassed;
    /** Whether a packet of the present response has come that was not its last. */
    private boolean severalPackets;
    /** When the first one came; meaningless where there is one alone. */
    private long firstByteAt;
    /** Since when the server owes an answer that has a time limit. */
    private long owesSince;

    public PooledServer(Owner owner, ServerConnection connection, LoginResponse login) {
        super(connection);
        this.owner = owner;
        counters = owner.counters();
        this.login = login;
        reset = new RidingReset(login.format().version().acknowledgesReset());
        session = new SessionKnowledge(login.database());
        tracker = new ResponseTracker(login.format(), this::returned);
        inspector = new RequestInspector(RequestFormat.of(login.format().version()));
    }

    public LoginResponse login() {
        return login;
    }

    RequestInspector inspector() {
        return inspector;
    }

    /** What is known of its session. */
    public SessionKnowledge session() {
        return session;
    }

    /** What the proxy itself may ask. The connection must be at rest. */
    public OwnQuestions questions() {
        return Objects.requireNonNull(questions);
    }

    RelayCounters counters() {
        return counters;
    }

    /** What its responses have told. */
    ResponseTracker tracker() {
        return tracker;
    }

    /** Whether it is certain that no transaction is open. */
    public boolean isOutsideTransaction() {
        return state == State.IDLE && tracker.transaction().isSurelyOver();
    }

    /**
     * Whether it has ended while nobody used it, as far as the kernel knows: a request that is sent now may be lost, and
     * nobody could tell whether it has run. What was used a moment ago is not asked for, to save the system call.
     */
    boolean hasEndedIdle() {
        return connection().idleBefore() >= WORTH_A_LOOK_NANOS && isEnded();
    }

    /** Whether it still answers a client that has left. */
    public boolean isAnswering() {
        return state == State.ABANDONED;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        questions = new OwnQuestions(this::beginQuestion, this, ctx.alloc(), (packets, end) -> {
            counters.countAllSent(packets);
            write(packets);
            flush();
        });
    }

    private void beginQuestion() {
        if (state != State.IDLE) {
            throw new IllegalStateException("a question while " + state);
        }
        tracker.beginOwnResponse();
        reset.none();
        state = State.OWN;
        owesSince = owner.now();
    }

    // What a client does with it.

    void attach(PooledClient newClient) {
        client = newClient;
    }

    void detach() {
        client = null;
        reading(true);
    }

    /**
     * A client's request begins.
     *
     * @param add whether a reset is to be added to it; its acknowledgement is kept from the client
     */
    void beginRequest(ByteBuf first, boolean add) {
        tracker.beginResponse();
        packetsPassed = 0;
        severalPackets = false;
        reset.none();
        state = State.CLIENT;
        int status = PacketHeader.status(first);
        if (add) {
            PacketHeader.setStatus(first, status | PacketHeader.STATUS_RESETCONNECTION);
            reset.added();
            wasReset();
            counters.resets.add(RelayCounters.Reset.WITH_REQUEST, 1);
        } else if ((status & PacketHeader.STATUS_RESETCONNECTION) != 0) {
            reset.asked();
            wasReset();
            counters.resets.add(RelayCounters.Reset.BY_CLIENT, 1);
        } else if ((status & PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN) != 0) {
            reset.asked();
            session.reset();
            counters.resets.add(RelayCounters.Reset.BY_CLIENT, 1);
        }
    }

    private void wasReset() {
        session.reset();
        tracker.transaction().wasReset();
    }

    /** Sends a packet of a request on. Takes the packet. */
    void forward(ByteBuf packet) {
        counters.countSent(packet);
        write(packet);
    }

    void sendAttention() {
        tracker.cancel();
        owesSince = owner.now();
        questions().attention();
    }

    /** The client cancels a request of which only a part has come, without saying where it ends. */
    void cutShort() {
        inspector.cutShort();
        // A server that took the next client's packets for the rest of it would be the worst of all.
        session.spend();
        sendAttention();
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    void reading(boolean on) {
        if (isOpen()) {
            ctx().channel().config().setAutoRead(on);
        }
    }

    /** Whether the request carried a reset, and nothing proves that the server has done it. */
    boolean isResetUnproven() {
        return reset.isUnproven(tracker, inspector.isIgnored());
    }

    /** Whether a request whose reset is unproven may have run all the same, and begun what only its client can end. */
    boolean mayHaveLeftSomething(SessionState settings) {
        RequestFindings found = inspector.found();
        return reset.mayHaveRun(inspector.isIgnored())
                && (found.hasAny(Effect.TRANSACTION)
                        || found.hasAny(Effect.PIN)
                        || found.has(Trait.OPAQUE)
                        || found.has(Trait.PINS_IF_CUT_SHORT)
                        || settings.implicitTransactionsMayBeOn());
    }

    /**
     * When the first packet of the response came.
     *
     * @param endedAt when the last did: most responses have no other
     */
    long firstByteAt(long endedAt) {
        return severalPackets ? firstByteAt : endedAt;
    }

    /** Whether the client has got some of the response already. */
    boolean hasAnswered() {
        return packetsPassed > 0;
    }

    /** The client is gone in the middle of a response: have it stopped, and read what is left of it. */
    public void abandon() {
        client = null;
        if (tracker.isUnreadable()) {
            close(); // where its response ends is hard to tell
            return;
        }
        state = State.ABANDONED;
        releaseHeldBack();
        session.handles().stray(); // what it prepares now, nobody hears of
        if (ClientState.spends(inspector, this)) {
            session.spend();
        }
        if (session.habits() != ServerHabits.TELLS) {
            tracker.transaction().doubt();
            session.doubt();
        }
        reading(true);
        if (!tracker.isCancelling()) {
            sendAttention();
        }
    }

    /**
     * The client is gone while its transaction is asked for: the answer comes at once, and nobody waits for it any more. A
     * client that writes a row and leaves must not cost a connection.
     */
    public void abandonProbe() {
        client = null;
        if (state == State.OWN) {
            state = State.ABANDONED;
            questions().forget();
            tracker.transaction().doubt();
        }
    }

    // Its end.

    /** Ends the connection, for whatever reason: it is of no use to anyone any more. */
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
     * Ends a connection whose server keeps an answer to itself that it owes: to an attention, or to a question of the
     * proxy's own. A client's request may take as long as the client likes.
     */
    public void check(ClientLimits limits, long now) {
        boolean owes = state == State.OWN || state == State.ABANDONED || tracker.isCancelling();
        if (owes && isOpen() && limits.isCancelOver(now - owesSince)) {
            cutOff(new ProtocolException("the server has not answered within cancel_timeout"));
        }
    }

    /** Nobody may be given it between now and its end, nor hear what it still says. */
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

    /** Tells the pool first, which gives the client another. */
    private void lost(Consumer<PooledServer> pool) {
        PooledClient had = client;
        client = null;
        releaseHeldBack();
        questions().forget();
        pool.accept(this);
        if (had != null) {
            had.serverLost();
        }
    }

    // What the server says.

    @Override
    protected void heard(ByteBuf packet) {
        switch (state) {
            case CLOSING, CLOSED -> packet.release();
            case IDLE, CLIENT, OWN, ABANDONED -> {
                counters.packetsReceived++;
                if (PacketHeader.type(packet) == PacketType.TABULAR_RESULT) {
                    answered(packet);
                } else {
                    refuse(packet, "%s from the server".formatted(PacketType.name(PacketHeader.type(packet))));
                }
            }
        }
    }

    private void refuse(ByteBuf packet, String why) {
        packet.release();
        cutOff(new ProtocolException(why));
    }

    private void answered(ByteBuf packet) {
        noteSpid(packet);
        RidingReset.Answer toReset = reset.answer(packet, tracker.isCancelling(), inspector.isIgnored());
        if (toReset == RidingReset.Answer.MISSING) {
            refuse(packet, "the server does not acknowledge the reset first");
            return;
        }
        ResponseTracker.Verdict verdict = tracker.onPacket(packet);
        if (toReset == RidingReset.Answer.ACKNOWLEDGED) {
            ResetAcknowledgement.removeFrom(packet);
        }
        switch (verdict) {
            case MORE -> {
                noteFirst();
                if (state == State.CLIENT && tracker.endsWithinReturnedNumber()) {
                    holdBack(packet);
                } else {
                    pass(packet);
                }
            }
            case END -> {
                if (isRepeated(packet)) {
                    return;
                }
                pass(packet);
                responseEnded();
            }
            case UNASKED -> refuse(packet, "the server speaks without being asked");
            case UNREADABLE -> unreadable(packet);
        }
    }

    private void noteFirst() {
        if (!severalPackets) {
            severalPackets = true;
            firstByteAt = owner.now();
        }
    }

    private void holdBack(ByteBuf packet) {
        if (heldBack != null) {
            refuse(packet, "a number in more than two packets");
            return;
        }
        heldBack = packet;
    }

    private void releaseHeldBack() {
        if (heldBack != null) {
            heldBack.release();
            heldBack = null;
        }
    }

    /** A handle that the server has lost, for whatever reason: nothing has run, and its statement can be sent instead. */
    private boolean isRepeated(ByteBuf packet) {
        if (state != State.CLIENT
                || packetsPassed > 0
                || !LostHandle.isAll(packet)
                || !tracker.transaction().isSurelyOver()
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
     * The response has something that is not understood. A client that waits for it gets it all the same, and keeps the
     * connection, which nobody else can use any more.
     */
    private void unreadable(ByteBuf packet) {
        if (state != State.CLIENT) {
            refuse(packet, tracker.complaint());
            return;
        }
        ClientLines.ofServer(log, Level.WARN, connection().pool().bucket().id())
                .log(
                        "server connection {}: relaying a response unread, and pinning its client: {}",
                        connection(),
                        tracker.complaint());
        session.lose();
        answered(packet);
    }

    private void pass(ByteBuf packet) {
        switch (state) {
            case CLIENT -> {
                if (heldBack != null) {
                    ByteBuf first = heldBack;
                    heldBack = null;
                    pass(first);
                }
                packetsPassed++;
                Objects.requireNonNull(client).forward(packet);
                return;
            }
            case OWN -> questions().read(packet);
            case ABANDONED, IDLE, CLOSING, CLOSED -> releaseHeldBack();
        }
        packet.release();
    }

    private void responseEnded() {
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
        switch (state) {
            case CLIENT -> {
                return Objects.requireNonNull(client).returned(ordinal, value);
            }
            case OWN -> questions().returned(ordinal, value);
            case ABANDONED, IDLE, CLOSING, CLOSED -> {}
        }
        return value;
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
