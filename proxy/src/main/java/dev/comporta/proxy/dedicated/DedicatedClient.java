package dev.comporta.proxy.dedicated;

import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.proxy.line.ClientLine;
import dev.comporta.proxy.line.PausedPeers;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.session.ProxyError;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a dedicated connection: it waits for its server connection, logs in on it, and from then on all its
 * bytes are relayed. Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public final class DedicatedClient extends ClientLine {
    private enum State {
        /** It waits for its server connection. */
        WAITING,
        /** LOGIN7 was forwarded; the server may ask for further login messages. */
        LOGGING_IN,
        RELAYING,
        /** The server connection has ended: the last bytes of its response are still being written. */
        ENDING,
        CLOSED
    }

    private final DedicatedBroker host;
    private final ClientHello hello;
    private final Login7 login;
    private final Pool pool;
    private final Waiter waiter;

    private State state = State.WAITING;
    private @Nullable DedicatedServer server;
    private final AnswerProgress answers = new AnswerProgress();
    private final long enteredAt;
    /** When the client last sent something. */
    private long askedAt;
    /** When the server last sent something. */
    private long answeredAt;
    /** The reason for closing it as soon as it seems idle; null while it may stay. */
    private @Nullable String leaving;

    /**
     * @param id its number in this instance
     * @param login the login to send to the server
     * @param pool the pool of this client alone
     */
    public DedicatedClient(
            long id, ClientIdentity identity, DedicatedBroker host, ClientHello hello, Login7 login, Pool pool) {
        super(id, identity);
        this.host = host;
        this.hello = hello;
        this.login = login;
        this.pool = pool;
        waiter = host.waiter(this);
        enteredAt = host.now();
        askedAt = enteredAt;
        answeredAt = enteredAt;
    }

    public ClientHello hello() {
        return hello;
    }

    public Login7 login() {
        return login;
    }

    public Pool pool() {
        return pool;
    }

    public Waiter waiter() {
        return waiter;
    }

    public boolean isWaiting() {
        return state == State.WAITING;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        super.handlerAdded(ctx);
        // It sends nothing before its login is answered, but only reading shows that it has disconnected.
        ctx.channel().config().setAutoRead(true);
    }

    /** Gives the client its server connection. */
    public void attached(DedicatedServer given) {
        server = given;
        state = State.LOGGING_IN;
        given.login(this);
    }

    /** Refuses the client a connection, or takes away the one that it logs in on. */
    public void refused(ProxyError error, String advice) {
        state = State.ENDING;
        host.refuse(hello, error, advice);
    }

    /** How long the server has waited for the client's next login message; 0 while it does not wait. */
    public long silenceInLogin(long now) {
        return state == State.LOGGING_IN && answeredAt > askedAt ? now - answeredAt : 0;
    }

    /** Ends a login that the client has not continued, as others need the connection. */
    public void loginStalled() {
        if (state == State.LOGGING_IN) {
            server().refuse("others wait for the connection, and the login was not continued. Try again.");
        }
    }

    /** The server has accepted the login: from here on bytes are relayed unread. */
    void loggedIn() {
        state = State.RELAYING;
        hello.login().wipeSecrets();
        hello.progress().judged();
        ctx().pipeline().remove(PacketDecoder.class);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        countReceived(bytes);
        switch (state) {
            case WAITING -> {
                bytes.release();
                throw new ProtocolException("a packet from the client before its login was answered");
            }
            case LOGGING_IN -> whileLoggingIn(bytes);
            case RELAYING -> {
                if (answeredAt >= askedAt) {
                    countRequest();
                }
                askedAt = host.now();
                server().forward(bytes);
            }
            case ENDING, CLOSED -> bytes.release();
        }
    }

    private void whileLoggingIn(ByteBuf packet) {
        int type = PacketHeader.type(packet);
        switch (type) {
            case PacketType.SSPI, PacketType.FEDAUTH_TOKEN -> {
                if (PacketHeader.isEndOfMessage(packet)) { // until then the server does not answer
                    askedAt = host.now();
                }
                server().forward(packet);
            }
            // The client's login timeout has expired; it will disconnect.
            case PacketType.ATTENTION -> packet.release();
            default -> {
                packet.release();
                throw new ProtocolException("%s before its login was answered".formatted(PacketType.name(type)));
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (server != null) {
            server.flush();
        }
    }

    /** Takes bytes from the server. */
    void forward(ByteBuf bytes) {
        answeredAt = host.now();
        if (state == State.RELAYING) {
            answers.passed(bytes);
        }
        write(bytes);
        if (!isWritable()) {
            server().reading(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (server != null) {
            server.reading(isWritable());
        }
    }

    /** Marks the client to be closed as soon as it seems idle, which {@link #check} does. */
    public void leave(String why) {
        if (leaving == null) {
            leaving = why;
        }
    }

    public void lookAt(PausedPeers paused, long now) {
        paused.look(ctx().channel(), now);
        if (server != null) {
            server.lookAt(paused, now);
        }
    }

    /**
     * Closes the client if a timeout has expired. Whether a transaction is open is not known here, so an idle client is
     * closed only beyond both limits.
     */
    public void check(ClientLimits limits, long now) {
        if (state != State.RELAYING) {
            return;
        }
        if (limits.isSessionOver(now - enteredAt)) {
            leave("session_timeout");
        }
        long silence = now - Math.max(askedAt, answeredAt);
        String why = leaving;
        if (why != null && isAnswered() && limits.isRestFor(silence)) {
            closeWhenTold(why);
        } else if (limits.isIdleInAnyCaseFor(silence) && (hello.mars() || isAnswered())) {
            closeWhenTold("idle_timeout and idle_in_transaction_timeout");
        }
    }

    /** The client as it is now. Its bytes are relayed unread: whatever it sends after a response counts as a request. */
    public ClientSnapshot snapshot() {
        ServerConnection connection = server == null ? null : server.connection();
        ClientSnapshot.State doing = switch (state) {
            case WAITING -> ClientSnapshot.State.WAITING;
            case LOGGING_IN -> ClientSnapshot.State.LOGGING_IN;
            case RELAYING -> isAnswered() ? ClientSnapshot.State.PINNED : ClientSnapshot.State.ACTIVE;
            case ENDING, CLOSED -> ClientSnapshot.State.RESTING;
        };
        long spokenAt = requests() > 0 ? Math.max(askedAt, answeredAt) : -1;
        return snapshot(doing, ClientSnapshot.Mode.DEDICATED, connection, false, enteredAt, spokenAt);
    }

    /**
     * A server ends its session at the client's FIN, so the connection to it is closed; what it has already sent goes out first.
     */
    @Override
    protected void saidAll() {
        hangUpWhenTold();
    }

    /** Whether the server has answered everything that the client sent. Not known with MARS. */
    private boolean isAnswered() {
        return !hello.mars() && answers.isComplete() && answeredAt >= askedAt;
    }

    /** The login has failed for a reason that the server did not give. */
    void serverRefused(String advice) {
        server = null;
        refused(ProxyError.SERVER_UNAVAILABLE, advice);
    }

    /** The server connection has ended. What the server sent before is written first. */
    void serverLost(boolean unanswered) {
        server = null;
        if (state == State.LOGGING_IN && unanswered) {
            refused(ProxyError.SERVER_UNAVAILABLE, host.lostAdvice());
            return;
        }
        state = State.ENDING;
        ctx().writeAndFlush(ctx().alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    protected String bucket() {
        return pool.bucket().id();
    }

    @Override
    protected boolean isClosed() {
        return state == State.CLOSED;
    }

    @Override
    protected void end() {
        State was = state;
        state = State.CLOSED;
        DedicatedServer had = server;
        server = null;
        if (had != null) {
            had.clientLeft();
        } else if (was == State.WAITING) {
            host.gaveUp(this);
        }
    }

    @Override
    protected void left() {
        host.left(this);
    }

    private DedicatedServer server() {
        return Objects.requireNonNull(server);
    }
}
