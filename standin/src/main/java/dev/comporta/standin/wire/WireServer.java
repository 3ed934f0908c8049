package dev.comporta.standin.wire;

import dev.comporta.standin.control.Counters;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.control.SessionRecord;
import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.HandleCounts;
import dev.comporta.standin.engine.Message;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.tls.FirstByteSwitch;
import dev.comporta.tls.TlsContexts;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One stand-in on the network: its listener, its connections, and its misbehaviour. Any thread may call it;
 * {@link #misbehave} and {@link #close} wait for the network, so not from an event loop.
 */
public final class WireServer {
    /** SQL Server's own sessions have lower numbers. */
    private static final int FIRST_SPID = 51;

    private static final int LAST_SPID = Short.MAX_VALUE;

    /** Shared by all stand-ins of a JVM, of which a test may start many; daemon threads, which need not be stopped. */
    private static final class Loops {
        static final EventLoopGroup SHARED = new MultiThreadIoEventLoopGroup(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                new DefaultThreadFactory("standin", true),
                NioIoHandler.newFactory());
    }

    private final WireSettings settings;
    private final Doorman doorman;
    private final Tally tally = new Tally();
    private final LoginRate loginRate = new LoginRate();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Map<Integer, Channel> sessions = new ConcurrentHashMap<>();
    private final Map<Integer, SessionRecord> records = new ConcurrentHashMap<>();
    /** The connections of sessions that this server has not closed. */
    private final Set<Channel> held = ConcurrentHashMap.newKeySet();
    /** Logins that were accepted and whose sessions have not begun yet. */
    private final AtomicInteger beingAdmitted = new AtomicInteger();

    private volatile Misbehaviour misbehaviour = Misbehaviour.NONE;
    private InetSocketAddress address;
    private @Nullable Channel listener;
    private int lastSpid = FIRST_SPID - 1;

    /** @param address port 0 binds a free port */
    public WireServer(WireSettings settings, Doorman doorman, InetSocketAddress address) {
        this.settings = settings;
        this.doorman = doorman;
        this.address = address;
    }

    public synchronized void start() throws IOException {
        try {
            listener = new ServerBootstrap()
                    .group(Loops.SHARED)
                    .channel(NioServerSocketChannel.class)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .option(ChannelOption.SO_BACKLOG, 1024)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    // So that a client that closes its output sees the connection end after its session has.
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            accept(channel);
                        }
                    })
                    .bind(address)
                    .sync()
                    .channel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while binding " + address, e);
        }
        address = (InetSocketAddress) listener.localAddress();
    }

    private void accept(SocketChannel channel) {
        tally.connections.increment();
        if (misbehaviour.dropConnections()) {
            close(channel);
            return;
        }
        connections.add(channel);
        channel.config().setAutoRead(!misbehaviour.stopReading());
        TlsContexts tls = settings.tls();
        channel.pipeline()
                .addLast(new FirstByteSwitch(() -> tls == null ? null : tls.strict()))
                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                .addLast("prelogin", new PreloginHandler(this))
                .addLast(new ConnectionGuard(this));
    }

    /** The bound port, also while it is dead. */
    public synchronized InetSocketAddress address() {
        return address;
    }

    /** @param handles counted by the engine */
    public Counters counters(HandleCounts handles) {
        return tally.snapshot(handles);
    }

    public void forgetMostSessions() {
        tally.forgetMostSessions();
    }

    public List<SessionRecord> sessions() {
        return List.copyOf(records.values());
    }

    Tally tally() {
        return tally;
    }

    WireSettings settings() {
        return settings;
    }

    Misbehaviour misbehaviour() {
        return misbehaviour;
    }

    /** Takes effect at once, for open connections as well as for new ones. */
    public synchronized void misbehave(Misbehaviour wanted) throws IOException {
        misbehaviour = wanted;
        for (Channel channel : connections) {
            // Waits, so that the new behaviour applies to everything that a client sends after this call.
            channel.eventLoop()
                    .submit(() -> channel.config().setAutoRead(!wanted.stopReading()))
                    .awaitUninterruptibly();
        }
        if (wanted.deadPort()) {
            closeListener();
            awaitRefusal();
        } else if (listener == null) {
            start();
        }
    }

    /** Closes a session's connection, as a crash would; returns false if there is no such session. */
    public boolean kill(int spid) {
        Channel channel = sessions.get(spid);
        if (channel == null) {
            return false;
        }
        close(channel);
        return true;
    }

    public synchronized void close() {
        closeListener();
        connections.close().awaitUninterruptibly();
    }

    private void closeListener() {
        if (listener != null) {
            listener.close().awaitUninterruptibly();
            listener = null;
        }
    }

    /**
     * Waits until the port refuses connections. NIO closes the socket of a listener only in its selector's next round: until
     * then the kernel accepts connections to it, which are never served. A few tries suffice; if the port still accepts after
     * the last, another process listens on it.
     */
    private void awaitRefusal() {
        boolean accepting = true;
        for (int tries = 0; accepting && tries < 1000; tries++) {
            try (Socket probe = new Socket()) {
                probe.connect(address);
            } catch (IOException refused) {
                accepting = false;
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for a connection to be gone
    void close(Channel channel) {
        letGo(channel); // before the client can notice the close
        channel.close();
    }

    private void letGo(Channel channel) {
        if (held.remove(channel)) {
            tally.sessionLetGo();
        }
    }

    Doorman.@Nullable Negotiation negotiate(Login7 login) throws Doorman.Refused {
        try {
            return doorman.negotiate(login);
        } catch (Doorman.Refused e) {
            tally.failedLogins.increment();
            throw e;
        }
    }

    EngineSession admit(Login7 login) throws Doorman.Refused {
        return admit(login, spid -> doorman.admit(login, spid));
    }

    /** Authenticates a client, for a session with this number. */
    interface Judgement {
        EngineSession judge(int spid) throws Doorman.Refused;
    }

    /** Runs on a virtual thread. */
    EngineSession admit(Login7 login, Judgement judgement) throws Doorman.Refused {
        Misbehaviour now = misbehaviour;
        takeTime(now.slowLogins());
        try {
            if (now.refuseLogins()) {
                throw refused(18456, 14, "Login failed for user '" + login.userName() + "'.");
            }
            if (!loginRate.allows(now.loginsPerSecond())) {
                throw refused(
                        17189,
                        16,
                        "SQL Server failed to spawn a thread to process a new login or connection: the stand-in takes "
                                + now.loginsPerSecond() + " logins per second.");
            }
            takePlace(now);
            try {
                return judgement.judge(nextSpid());
            } catch (Doorman.Refused e) {
                beingAdmitted.decrementAndGet();
                throw e;
            }
        } catch (Doorman.Refused e) {
            tally.failedLogins.increment();
            throw e;
        }
    }

    /** The limit is checked first, as in SQL Server: a login beyond it does not learn whether its password is right. */
    private synchronized void takePlace(Misbehaviour now) throws Doorman.Refused {
        int most = now.maxUserConnections();
        if (most > 0 && held.size() + beingAdmitted.get() >= most) {
            throw refused(
                    now.fullError(),
                    20,
                    "Could not connect because the maximum number of '" + most
                            + "' user connections has already been reached. The system administrator can use sp_configure"
                            + " to increase the maximum value. The connection has been closed.");
        }
        beingAdmitted.incrementAndGet();
    }

    private static void takeTime(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Doorman.Refused refused(int number, int severity, String text) {
        return new Doorman.Refused(List.of(new Message(number, 1, severity, text, "", 1)));
    }

    private synchronized int nextSpid() {
        do {
            lastSpid = lastSpid == LAST_SPID ? FIRST_SPID : lastSpid + 1;
        } while (sessions.containsKey(lastSpid));
        return lastSpid;
    }

    void sessionBegan(Channel channel, WireSession session) {
        sessions.put(session.engine.spid(), channel);
        records.put(session.engine.spid(), session.record);
        held.add(channel);
        beingAdmitted.decrementAndGet();
        tally.sessionOpened();
        ConnectionGuard guard = channel.pipeline().get(ConnectionGuard.class);
        if (guard != null) {
            guard.loggedIn();
        }
    }

    /** Called on the event loop: the engine rolls back on another thread. */
    void sessionEnded(WireSession session, Channel channel) {
        Thread.ofVirtual().name("standin-close-" + session.engine.spid()).start(() -> {
            try {
                if (session.engine.inTransaction()) {
                    tally.rollbacksAtDisconnect.increment();
                }
                takeTime(misbehaviour.slowEnds());
                session.engine.close();
            } finally {
                // Not earlier: a client that sees the session gone must find its locks released, too. Its connection
                // must leave the held ones before that, or the client's next session would be counted with it.
                letGo(channel);
                sessions.remove(session.engine.spid());
                records.remove(session.engine.spid());
                tally.sessionClosed();
                close(channel);
            }
        });
    }
}
