package dev.comporta.proxy.relay;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.token.TokenWalker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server connection that is logged in: what it answers, to whom, and what is known of its session. Confined to its
 * bucket's loop.
 */
public final class ServerSession extends ServerLine {
    /** Whose answer is being read. */
    private enum State {
        /** Nobody's: the server speaks only when spoken to. */
        IDLE,
        /** The client's that has the connection. */
        CLIENT,
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
        /** @param failed whether the answer had an error in it */
        void complete(boolean failed);
    }

    /** Told what becomes of the connection as a whole. */
    public interface Owner {
        /** The network connection has ended. */
        void serverClosed(ServerSession server);

        /** What a client left running has come to its end. */
        void abandonedEnded(ServerSession server);
    }

    private final Owner owner;
    private final LoginResponse login;
    private final TokenWalker walker;
    private final RequestInspector inspector;
    private final ResponseTracker tracker = new ResponseTracker(this::returned);

    private State state = State.IDLE;
    private @Nullable ProxyQuestions questions;
    private @Nullable OwnAnswer ownAnswer;
    private @Nullable ClientResponse client;

    /** What the session is in, as far as is known. */
    private SessionState sessionState = SessionState.AS_LOGGED_IN;
    /** Whether something ran since the last reset that may have left what {@link #sessionState} does not tell. */
    private boolean tainted;

    private boolean stripReset;
    private boolean uncertainIfGivenUp;
    private boolean hasAnswered;
    private int attentionsOwed;

    public ServerSession(Owner owner, ServerConnection connection, LoginResponse login) {
        super(connection);
        this.owner = owner;
        this.login = login;
        walker = new TokenWalker(login.format(), tracker);
        inspector = new RequestInspector(RequestFormat.of(login.format().version()));
    }

    public LoginResponse login() {
        return login;
    }

    RequestInspector inspector() {
        return inspector;
    }

    public SessionState sessionState() {
        return sessionState;
    }

    void sessionState(SessionState known) {
        sessionState = known;
    }

    /** A reset and the settings of this state, the isolation level among them, were acknowledged. */
    public void broughtInto(SessionState known) {
        sessionState = known;
        tainted = false;
    }

    boolean isTainted() {
        return tainted;
    }

    void taint() {
        tainted = true;
    }

    /** What its responses have told. */
    ResponseTracker tracker() {
        return tracker;
    }

    /** Whether it still answers a client that has left. */
    public boolean isAnswering() {
        return state == State.ABANDONED;
    }

    /** Whether the latest response told of a transaction that began or ended. */
    public boolean toldOfTransaction() {
        return tracker.toldOfTransaction();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        questions = new ProxyQuestions(login, ctx.alloc(), (packets, end) -> write(packets));
    }

    // What a client does with it.

    void attach(ClientResponse newClient) {
        client = newClient;
    }

    void detach() {
        client = null;
        reading(true);
    }

    /**
     * A client's request begins.
     *
     * @param reset to be added to it; its acknowledgement is kept from the client
     */
    void beginRequest(ByteBuf first, boolean reset) {
        beginResponse();
        state = State.CLIENT;
        int status = PacketHeader.status(first);
        uncertainIfGivenUp = reset || HandOver.asksReset(first);
        if (reset) {
            PacketHeader.setStatus(first, status | PacketHeader.STATUS_RESETCONNECTION);
            stripReset = true;
            wasReset();
        } else if ((status & PacketHeader.STATUS_RESETCONNECTION) != 0) {
            wasReset();
        } else if ((status & PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN) != 0) {
            sessionState = sessionState.afterReset();
        }
    }

    private void wasReset() {
        sessionState = sessionState.afterReset();
        // Some versions put the isolation level back and some don't: what it is now is not known.
        tainted = !sessionState.isolationIsDefault();
        tracker.wasReset();
    }

    /** Sends a packet of a request on. Takes the packet. */
    void forward(ByteBuf packet) {
        write(packet);
    }

    void sendAttention() {
        attentionsOwed++;
        questions().attention();
        flush();
    }

    /** The client cancels a request of which only a part has come, without saying where it ends. */
    void cutShort() {
        inspector.giveUp();
        // A server that took the next client's packets for the rest of it would be the worst of all.
        uncertainIfGivenUp = true;
        sendAttention();
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    void reading(boolean on) {
        if (state != State.CLOSING && state != State.CLOSED) {
            ctx().channel().config().setAutoRead(on);
        }
    }

    /** Whether nobody knows what the latest request has done if its client gives it up: the reset that it carried, maybe. */
    boolean isUncertainIfGivenUp() {
        return uncertainIfGivenUp;
    }

    /** Whether the client has got some of the response already. */
    boolean hasAnswered() {
        return hasAnswered;
    }

    // The proxy's own questions.

    /** Asks something that no client sees. The connection must be at rest. */
    public void ask(String sql, boolean reset, OwnAnswer answer) {
        if (state != State.IDLE) {
            throw new IllegalStateException("a question while " + state);
        }
        beginResponse();
        tracker.keepComplaint();
        state = State.OWN;
        ownAnswer = answer;
        if (reset) {
            wasReset();
        }
        questions().batch(sql, reset, tracker.descriptor());
        flush();
    }

    /** Asks whether a transaction is open, of a server that may not have told. */
    void probe(OwnAnswer answer) {
        ask(ResponseTracker.PROBE, false, failed -> {
            tracker.probed();
            answer.complete(failed);
        });
    }

    /** The client is gone in the middle of a response: have it stopped, and read what is left of it. */
    public void abandon() {
        client = null;
        state = State.ABANDONED;
        reading(true);
        if (attentionsOwed == 0) {
            sendAttention();
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

    // What the server says.

    @Override
    protected void heard(ByteBuf packet) {
        if (state == State.CLOSING || state == State.CLOSED) {
            packet.release();
            return;
        }
        try {
            if (state == State.IDLE) {
                throw new ProtocolException("the server speaks without being asked");
            }
            if (PacketHeader.type(packet) != PacketType.TABULAR_RESULT) {
                throw new ProtocolException("%s from the server".formatted(PacketType.name(PacketHeader.type(packet))));
            }
            walker.walk(
                    packet,
                    packet.readerIndex() + PacketHeader.LENGTH,
                    packet.writerIndex(),
                    PacketHeader.isEndOfMessage(packet));
            if (stripReset && !inspector.isIgnored()) {
                stripReset = false;
                ResetAcknowledgement.removeFrom(packet);
            }
        } catch (ProtocolException broken) {
            packet.release();
            cutOff(broken);
            return;
        }
        if (state == State.CLIENT) {
            hasAnswered = true;
            Objects.requireNonNull(client).forward(packet);
        } else {
            packet.release();
        }
        if (tracker.takeEnded()) {
            responseEnded();
        }
    }

    private void responseEnded() {
        if (attentionsOwed > 0) {
            // Its acknowledgement may come with this response, or in a message of its own after it.
            if (!tracker.attentionIsAcknowledged()) {
                return;
            }
            attentionsOwed = 0;
        }
        State whose = state;
        state = State.IDLE;
        switch (whose) {
            case CLIENT -> Objects.requireNonNull(client).ended(this);
            case OWN -> {
                OwnAnswer answer = Objects.requireNonNull(ownAnswer);
                ownAnswer = null;
                answer.complete(tracker.errors() > 0);
            }
            case ABANDONED -> owner.abandonedEnded(this);
            case IDLE, CLOSING, CLOSED -> throw new IllegalStateException("a response ended while " + whose);
        }
    }

    private void beginResponse() {
        tracker.beginResponse();
        hasAnswered = false;
        stripReset = false;
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
        ClientResponse had = client;
        client = null;
        ownAnswer = null;
        owner.serverClosed(this);
        if (had != null) {
            had.serverLost();
        }
    }

    private ProxyQuestions questions() {
        return Objects.requireNonNull(questions);
    }
}
