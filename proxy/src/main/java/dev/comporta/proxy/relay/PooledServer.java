package dev.comporta.proxy.relay;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.IntegerAnswer;
import dev.comporta.tds.token.TokenWalker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server connection that is logged in: what it answers, and to whom. Confined to its bucket's loop. */
public final class PooledServer extends ServerLine {
    /** Whose answer is being read. */
    private enum State {
        /** Nobody's: the server speaks only when spoken to. */
        IDLE,
        /** The client's that has the connection. */
        CLIENT,
        /** The same, but its tokens can't be followed: passed on as it comes, to the end of its message. */
        BLIND,
        /** The proxy's own question's: no client sees it. */
        OWN,
        /** That of a client which has left: read to its end, and thrown away. */
        ABANDONED,
        /** Nobody's any more: the server has been told, and has not hung up yet. */
        CLOSING,
        CLOSED
    }

    /** Told when the answer to a question of the proxy's own is complete. */
    @FunctionalInterface
    public interface OwnAnswer {
        /** @param failed whether there was an error, or the answer is none, or the reset was not acknowledged */
        void answered(boolean failed);
    }

    /** Told what becomes of the connection as a whole. */
    public interface Owner {
        /** The network connection has ended. */
        void serverClosed(PooledServer server);

        /** What a client left running has come to its end. */
        void abandonedEnded(PooledServer server);

        /** Nanoseconds since some moment. */
        long now();
    }

    private static final String ROLL_BACK = "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; " + ResponseTracker.PROBE;

    /** The one row that answers a question is some dozen bytes; messages of the server may stand before it. */
    private static final int MOST_OF_AN_ANSWER = 4096;

    private static final Logger log = LoggerFactory.getLogger(PooledServer.class);

    private final Owner owner;
    private final LoginResponse login;
    private final RequestInspector inspector;
    private final RidingReset reset;
    private final SessionKnowledge knowledge = new SessionKnowledge();
    private final ResponseTracker tracker = new ResponseTracker(this::returned);
    private TokenWalker walker;

    private State state = State.IDLE;
    private ServerHabits habits = ServerHabits.ASKED_ALWAYS;
    private @Nullable ProxyQuestions questions;
    private @Nullable OwnAnswer ownAnswer;
    /** What has come of the answer to a question; null where nobody wants to read it. */
    private @Nullable ByteBuf answerBytes;

    private @Nullable PooledClient client;
    private boolean hasAnswered;
    private int attentionsOwed;
    /** Since when the server owes an answer that has a time limit. */
    private long owesSince;

    public PooledServer(Owner owner, ServerConnection connection, LoginResponse login) {
        super(connection);
        this.owner = owner;
        this.login = login;
        reset = new RidingReset(login.format().version().acknowledgesReset());
        walker = new TokenWalker(login.format(), tracker);
        inspector = new RequestInspector(RequestFormat.of(login.format().version()));
    }

    public LoginResponse login() {
        return login;
    }

    RequestInspector inspector() {
        return inspector;
    }

    SessionKnowledge knowledge() {
        return knowledge;
    }

    public SessionState sessionState() {
        return knowledge.state();
    }

    /** A reset and the settings of this state, the isolation level among them, were acknowledged. */
    public void broughtInto(SessionState known) {
        knowledge.broughtInto(known);
    }

    /** What brings the session, behind a reset, into this state: where the reset may not put all back, the rest is named. */
    public String sqlAfterReset(SessionState wanted) {
        return switch (habits) {
            case TELLS -> wanted.toSql();
            // Babelfish's reset leaves the database, and implicit transactions on after SET ANSI_DEFAULTS.
            case ASKED -> wanted.toSql(login.database(), true);
            case ASKED_ALWAYS -> wanted.toSql(login.database(), false);
        };
    }

    /** Whether nothing but its {@link #sessionState} can have been left in it since the last reset. */
    public boolean isProven() {
        return knowledge.isProven();
    }

    /** Whether it serves nobody but the client that has it. */
    public boolean isSpent() {
        return knowledge.isSpent();
    }

    public ServerHabits habits() {
        return habits;
    }

    public void habits(ServerHabits seen) {
        habits = seen;
    }

    /** What its responses have told. */
    ResponseTracker tracker() {
        return tracker;
    }

    /** Whether it is certain that no transaction is open. */
    public boolean isOutsideTransaction() {
        return state == State.IDLE && tracker.isSurelyOutside();
    }

    /** Whether it still answers a client that has left. */
    public boolean isAnswering() {
        return state == State.ABANDONED;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        questions = new ProxyQuestions(login, ctx.alloc(), (packets, end) -> write(packets));
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
        beginResponse();
        state = State.CLIENT;
        int status = PacketHeader.status(first);
        if (add) {
            PacketHeader.setStatus(first, status | PacketHeader.STATUS_RESETCONNECTION);
            reset.added();
            wasReset();
        } else if ((status & PacketHeader.STATUS_RESETCONNECTION) != 0) {
            reset.asked();
            wasReset();
        } else if ((status & PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN) != 0) {
            reset.asked();
            knowledge.reset(habits);
        }
    }

    private void wasReset() {
        knowledge.reset(habits);
        tracker.wasReset();
    }

    /** Sends a packet of a request on. Takes the packet. */
    void forward(ByteBuf packet) {
        write(packet);
    }

    void sendAttention() {
        attentionsOwed++;
        owesSince = owner.now();
        questions().attention();
        flush();
    }

    /** The client cancels a request of which only a part has come, without saying where it ends. */
    void cutShort() {
        inspector.giveUp();
        // A server that took the next client's packets for the rest of it would be the worst of all.
        knowledge.spend();
        sendAttention();
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    void reading(boolean on) {
        if (state != State.CLOSING && state != State.CLOSED) {
            ctx().channel().config().setAutoRead(on);
        }
    }

    /** Whether the request carried a reset, and nothing proves that the server has done it. */
    boolean isResetUnproven() {
        return reset.isUnproven(tracker, inspector.isIgnored());
    }

    /** Whether the client has got some of the response already. */
    boolean hasAnswered() {
        return hasAnswered;
    }

    // The proxy's own questions.

    /** Asks something that no client sees. The connection must be at rest. */
    public void ask(String sql, boolean resetFirst, OwnAnswer answer) {
        if (state != State.IDLE) {
            throw new IllegalStateException("a question while " + state);
        }
        beginResponse();
        tracker.keepComplaint();
        state = State.OWN;
        owesSince = owner.now();
        ownAnswer = resetFirst && login.format().version().acknowledgesReset()
                ? failed -> answer.answered(failed || !tracker.resetIsAcknowledged())
                : answer;
        if (resetFirst) {
            wasReset();
        }
        questions().batch(sql, resetFirst, tracker.descriptor());
        flush();
    }

    /** Asks for an integer; {@link IntegerAnswer#NONE} for whatever else comes. */
    private void askValue(String sql, LongConsumer answer) {
        ask(sql, false, failed -> {
            ByteBuf bytes = Objects.requireNonNull(answerBytes);
            answerBytes = null;
            long value = failed ? IntegerAnswer.NONE : IntegerAnswer.read(bytes, login.format());
            bytes.release();
            answer.accept(value);
        });
        answerBytes = ctx().alloc().buffer(128, MOST_OF_AN_ANSWER);
    }

    /** Asks whether a transaction is open, of a server that may not have told. */
    void probe(OwnAnswer answer) {
        askValue(ResponseTracker.PROBE, count -> {
            tracker.probed(count);
            answer.answered(count == IntegerAnswer.NONE);
        });
    }

    /** Ends whatever transaction is open. */
    public void rollBack(OwnAnswer answer) {
        askValue(ROLL_BACK, count -> {
            tracker.probed(count);
            answer.answered(count != 0);
        });
    }

    /** Sees what the server tells by itself; {@link #habits()} has it then. Fails where a transaction may be left open. */
    public void learn(OwnAnswer answer) {
        boolean canTell = login.format().version().tellsOfTransactions();
        askValue(canTell ? ServerHabits.TRY_TRANSACTION : ServerHabits.TRY_OPTIONS, value -> {
            habits = ServerHabits.of(value, tracker);
            answer.answered(!ServerHabits.isOutside(value));
        });
    }

    /** The client is gone in the middle of a response: have it stopped, and read what is left of it. */
    public void abandon() {
        client = null;
        if (state == State.BLIND) {
            close(); // where its response ends is hard to tell
            return;
        }
        state = State.ABANDONED;
        if (ClientState.spends(inspector, this)) {
            knowledge.spend();
        }
        if (habits != ServerHabits.TELLS) {
            tracker.doubt();
        }
        reading(true);
        if (attentionsOwed == 0) {
            sendAttention();
        }
    }

    /**
     * The client is gone while its transaction is asked for: the answer comes at once, and nobody waits for it any more. Who
     * writes a row and leaves must not cost a connection.
     */
    public void abandonProbe() {
        client = null;
        if (state == State.OWN) {
            state = State.ABANDONED;
            forgetQuestion();
            tracker.doubt();
        }
    }

    private void forgetQuestion() {
        ownAnswer = null;
        if (answerBytes != null) {
            answerBytes.release();
            answerBytes = null;
        }
    }

    /** Ends the connection, for whatever reason: it is of no use to anyone any more. */
    public void close() {
        if (state != State.CLOSING && state != State.CLOSED) {
            state = State.CLOSING;
            hangUp();
        }
    }

    public boolean isClosing() {
        return state == State.CLOSING;
    }

    /**
     * Ends a connection whose server keeps an answer to itself that it owes: to an attention, or to a question of the
     * proxy's own. A client's request may take as long as the client likes.
     */
    public void check(ClientLimits limits, long now) {
        boolean owes = state == State.OWN || state == State.ABANDONED || attentionsOwed > 0;
        boolean isOpen = state != State.CLOSING && state != State.CLOSED;
        if (owes && isOpen && limits.isCancelOver(now - owesSince)) {
            cutOff(new ProtocolException("the server has not answered within cancel_timeout"));
        }
    }

    // What the server says.

    @Override
    protected void heard(ByteBuf packet) {
        switch (state) {
            case CLOSING, CLOSED -> packet.release();
            case IDLE -> refuse(packet, "the server speaks without being asked");
            case CLIENT, BLIND, OWN, ABANDONED -> {
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

    /** Nobody may be given it between now and its end, nor hear what it still says. */
    @Override
    protected void ending() {
        if (state != State.CLOSED) {
            state = State.CLOSING;
        }
    }

    private void answered(ByteBuf packet) {
        RidingReset.Answer toReset = reset.answer(packet, attentionsOwed > 0, inspector.isIgnored());
        if (toReset == RidingReset.Answer.MISSING) {
            refuse(packet, "the server does not acknowledge the reset first");
            return;
        }
        if (state != State.BLIND) {
            try {
                walker.walk(packet, packet.readerIndex() + PacketHeader.LENGTH, packet.writerIndex(), isLast(packet));
            } catch (ProtocolException broken) {
                lostPlace(packet, broken);
                if (state == State.CLOSING) {
                    return;
                }
            }
        }
        if (toReset == RidingReset.Answer.ACKNOWLEDGED) {
            ResetAcknowledgement.removeFrom(packet);
        }
        boolean last = isLast(packet);
        boolean endsBlind = state == State.BLIND && last && (attentionsOwed == 0 || BlindEnd.acknowledges(packet));
        pass(packet);
        if (endsBlind || tracker.takeEnded()) {
            responseEnded(endsBlind);
        }
    }

    private static boolean isLast(ByteBuf packet) {
        return PacketHeader.isEndOfMessage(packet);
    }

    /**
     * The response has something that is not understood. A client that waits for it gets it all the same, and keeps the
     * connection, which nobody else can use any more.
     */
    private void lostPlace(ByteBuf packet, ProtocolException broken) {
        if (state != State.CLIENT) {
            packet.release();
            cutOff(broken);
            return;
        }
        log.warn(
                "server connection {}: a response is passed on unread, and its client pinned: {}",
                connection(),
                broken.getMessage());
        state = State.BLIND;
        knowledge.lose();
        walker = new TokenWalker(login.format(), tracker);
    }

    private void pass(ByteBuf packet) {
        if (state == State.CLIENT || state == State.BLIND) {
            hasAnswered = true;
            Objects.requireNonNull(client).forward(packet);
            return;
        }
        ByteBuf kept = answerBytes;
        int payload = packet.readableBytes() - PacketHeader.LENGTH;
        if (kept != null && state == State.OWN) {
            // What does not fit is no answer: it is then cut short.
            kept.writeBytes(
                    packet, packet.readerIndex() + PacketHeader.LENGTH, Math.min(payload, kept.maxWritableBytes()));
        }
        packet.release();
    }

    private void responseEnded(boolean blind) {
        if (attentionsOwed > 0) {
            // Its acknowledgement may come with this response, or in a message of its own after it.
            if (!blind && !tracker.attentionIsAcknowledged()) {
                return;
            }
            attentionsOwed = 0;
        }
        State whose = state;
        state = State.IDLE;
        switch (whose) {
            case CLIENT, BLIND -> Objects.requireNonNull(client).responseEnded(this);
            case OWN -> {
                OwnAnswer answer = Objects.requireNonNull(ownAnswer);
                ownAnswer = null;
                answer.answered(tracker.errors() > 0);
            }
            case ABANDONED -> owner.abandonedEnded(this);
            case IDLE, CLOSING, CLOSED -> throw new IllegalStateException("a response ended while " + whose);
        }
    }

    private void beginResponse() {
        tracker.beginResponse();
        hasAnswered = false;
        reset.none();
    }

    private void returned(int ordinal, long value) {
        if (state == State.CLIENT && client != null) {
            client.returned(ordinal, value);
        }
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

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        PooledClient had = client;
        client = null;
        forgetQuestion();
        owner.serverClosed(this);
        if (had != null) {
            had.serverLost();
        }
    }

    private ProxyQuestions questions() {
        return Objects.requireNonNull(questions);
    }
}
