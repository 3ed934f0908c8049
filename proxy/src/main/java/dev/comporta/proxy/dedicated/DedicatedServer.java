package dev.comporta.proxy.dedicated;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.walk.TokenWalker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a dedicated connection. The responses to the login are parsed, because a login takes several messages
 * and only the last ends it; everything after it is relayed unread. Confined to its bucket's loop.
 */
public final class DedicatedServer extends ServerLine {
    private enum State {
        /** PRELOGIN and TLS are done; no client has it yet. */
        GREETED,
        LOGGING_IN,
        RELAYING,
        /** No client has it any more: FIN was sent, and the server has not closed its side yet. */
        CLOSING,
        CLOSED
    }

    private final DedicatedBroker host;
    private final Greeted greeted;
    private final LoginOutcome answer = new LoginOutcome();

    private State state = State.GREETED;
    private @Nullable DedicatedClient client;
    private @Nullable TokenWalker walker;
    private @Nullable Future<?> loginTimeout;
    /** Whether a message to the client has been sent in part, so that no other may begin. */
    private boolean inMessage;

    public DedicatedServer(DedicatedBroker host, ServerConnection connection, Greeted greeted) {
        super(connection);
        this.host = host;
        this.greeted = greeted;
    }

    /** The result of PRELOGIN. */
    public Greeted greeted() {
        return greeted;
    }

    void login(DedicatedClient owner) {
        client = owner;
        state = State.LOGGING_IN;
        walker = new TokenWalker(owner.login().negotiatedVersion(), answer);
        loginTimeout = ctx().executor().schedule(this::loginTookTooLong, host.loginNanos(), TimeUnit.NANOSECONDS);
        greeted.login(ctx(), FedAuthEcho.of(owner.login(), greeted.answer().fedAuthRequired()));
    }

    /** Takes bytes from the client. */
    void forward(ByteBuf bytes) {
        write(bytes);
        if (!isWritable()) {
            client().reading(false);
        }
    }

    /** Back-pressure: a client that does not read stops its server connection from being read. */
    void reading(boolean on) {
        if (state == State.LOGGING_IN || state == State.RELAYING) {
            ctx().channel().config().setAutoRead(on);
        }
    }

    /** The client has disconnected, so the connection must be closed. */
    void clientLeft() {
        client = null;
        host.done(this);
    }

    /** Closes the connection after what the client sent last. */
    public void close() {
        if (state != State.CLOSING && state != State.CLOSED) {
            state = State.CLOSING;
            cancelTimeout();
            hangUp();
        }
    }

    @Override
    protected void received(ByteBuf bytes) {
        switch (state) {
            case GREETED -> {
                bytes.release();
                cutOff(new ProtocolException("unexpected packet from the server: no request is outstanding"));
            }
            case LOGGING_IN -> whileLoggingIn(bytes);
            case RELAYING -> client().forward(bytes);
            case CLOSING, CLOSED -> bytes.release();
        }
    }

    private void whileLoggingIn(ByteBuf packet) {
        noteSpid(packet);
        boolean last = PacketHeader.isEndOfMessage(packet);
        try {
            if (PacketHeader.type(packet) != PacketType.TABULAR_RESULT) {
                throw new ProtocolException("%s from the server".formatted(PacketType.name(PacketHeader.type(packet))));
            }
            Objects.requireNonNull(walker)
                    .walk(packet, packet.readerIndex() + PacketHeader.LENGTH, packet.writerIndex(), last);
        } catch (ProtocolException broken) {
            packet.release();
            cutOff(broken);
            return;
        }
        String elsewhere = answer.routedTo();
        if (elsewhere != null) {
            packet.release();
            refuse("the server routes its clients to %s. Make that the bucket's host and port.".formatted(elsewhere));
            return;
        }
        inMessage = !last;
        client().forward(packet);
        if (last && answer.isAcknowledged()) {
            host.judged(client(), true);
            loggedIn();
        } else if (answer.isOver()) {
            if (answer.isOfCredentials()) {
                host.judged(client(), false);
            }
            letGo().serverLost(false);
        }
    }

    private void loggedIn() {
        state = State.RELAYING;
        cancelTimeout();
        walker = null;
        client().loggedIn();
        ctx().pipeline().remove(PacketDecoder.class);
    }

    private void loginTookTooLong() {
        refuse("the login took too long. Try again, or raise connection_timeout.");
    }

    /** Ends the login for a reason that the server did not give. */
    void refuse(String advice) {
        DedicatedClient refused = letGo();
        if (inMessage) {
            refused.serverLost(false);
        } else {
            refused.serverRefused(advice);
        }
    }

    /** Closes the connection; the caller informs the client. */
    private DedicatedClient letGo() {
        DedicatedClient had = client();
        clientLeft();
        return had;
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
            client.reading(ctx.channel().isWritable());
        }
    }

    @Override
    protected void ending() {
        if (state != State.CLOSED) {
            state = State.CLOSING;
            cancelTimeout();
        }
    }

    @Override
    protected void broken() {
        if (state == State.CLOSING) {
            lost(host::serverBroken);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        cancelTimeout();
        lost(host::serverClosed);
    }

    private void lost(Consumer<DedicatedServer> pool) {
        DedicatedClient had = client;
        client = null;
        pool.accept(this);
        if (had != null) {
            had.serverLost(!inMessage && !answer.isOver());
        }
    }

    private void cancelTimeout() {
        if (loginTimeout != null) {
            loginTimeout.cancel(false);
            loginTimeout = null;
        }
    }

    private DedicatedClient client() {
        return Objects.requireNonNull(client);
    }
}
