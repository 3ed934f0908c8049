package dev.comporta.proxy.listen;

import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.login.ClientHello;
import dev.comporta.proxy.login.ClientLogin;
import dev.comporta.proxy.login.ClientTls;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.tls.FirstByteSwitch;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A port that clients dial. */
public final class Listener implements AutoCloseable {
    /** Connections that may wait to be accepted while all threads are busy; the kernel's own limit still holds. */
    private static final int BACKLOG = 4096;

    private final Channel channel;
    private final LoginGate gate;
    /** Null where no other process may listen. */
    private final @Nullable SharedPort shared;

    private Listener(Channel channel, LoginGate gate, @Nullable SharedPort shared) {
        this.channel = channel;
        this.gate = gate;
        this.shared = shared;
    }

    /**
     * Binds, or says why not.
     *
     * @param acceptor does nothing else, so that connections are accepted however busy the others are: the kernel's queue
     *     is short, and a client that finds it full tries again after one second, then two, then four
     * @param reusePort whether other processes may listen there, too
     * @param guards for all clients of the instance
     * @param name what the routing calls it
     * @param rules which addresses may connect
     * @param grantsMars whether clients may have several requests at the same time
     * @param arrived gets each client that has sent its LOGIN7, on the thread that accepted it
     */
    public static Listener bind(
            InetSocketAddress address,
            EventLoopGroup acceptor,
            EventLoopGroup loops,
            Transport transport,
            boolean reusePort,
            ClientTls tls,
            Duration loginTimeout,
            SocketLimits limits,
            Guards guards,
            String name,
            EntranceRules rules,
            BooleanSupplier grantsMars,
            Consumer<ClientHello> arrived)
            throws IOException {
        Entrance entrance = guards.entrance(name, rules);
        LoginGate gate = new LoginGate(limits.logins(), guards, entrance);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(acceptor, loops)
                .channel(transport.serverSocket())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, limits.waterMark())
                .handler(gate)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        PendingLogin pending = LoginGate.of(client);
                        pending.takeTurnsIn(guards.turns(client.eventLoop()));
                        client.pipeline().addLast(pending);
                        if (rules.proxyProtocol() != ProxyProtocol.OFF) {
                            client.pipeline().addLast(new ProxyHeaderHandler(entrance, pending));
                        }
                        client.pipeline()
                                .addLast(new StrictTurn(pending))
                                .addLast(new FirstByteSwitch(tls::strict))
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new ClientLogin(
                                        tls, loginTimeout.toNanos(), limits.loginSize(), grantsMars, pending, arrived));
                    }
                });
        transport.keepAlive(bootstrap, limits.keepAlive());
        if (reusePort) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        try {
            Channel channel = bootstrap.bind(address).syncUninterruptibly().channel();
            return new Listener(channel, gate, reusePort ? SharedPort.join(channel) : null);
        } catch (Exception e) { // the cause is checked, though bind does not say so
            throw new IOException("can't listen on " + address + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /**
     * Where another process listens on the same port, it gets all connections from now on. Earlier ones must still be
     * accepted: {@link #close} is for later.
     */
    public void handOver() {
        if (shared != null) {
            shared.handOver();
        }
    }

    public boolean isShared() {
        return shared != null;
    }

    /** How many connections of this listener have not sent their LOGIN7 yet. Not for event loops: it waits for one. */
    public int pendingLogins() {
        return channel.eventLoop().submit(gate::count).syncUninterruptibly().getNow();
    }

    /** Accepts no more clients. Those that are there stay. */
    @Override
    public void close() {
        channel.close().syncUninterruptibly();
    }
}
