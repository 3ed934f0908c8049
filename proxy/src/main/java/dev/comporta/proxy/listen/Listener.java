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

/** An address and port on which clients connect. */
public final class Listener implements AutoCloseable {
    /** Connections that may wait to be accepted while all threads are busy; the kernel's own limit applies as well. */
    private static final int BACKLOG = 4096;

    private final Channel channel;
    private final LoginGate gate;
    /** Null unless other processes may listen on the port. */
    private final @Nullable SharedPort shared;

    private Listener(Channel channel, LoginGate gate, @Nullable SharedPort shared) {
        this.channel = channel;
        this.gate = gate;
        this.shared = shared;
    }

    /**
     * Binds the listener, or throws with the reason.
     *
     * @param acceptor used for nothing else, so that connections are accepted however busy the loops are: the kernel's queue
     *     is short, and a client that finds it full retries after one second, then two, then four
     * @param reusePort whether other processes may listen on the port, too
     * @param guards the limits for all clients of the instance
     * @param name the listener's name, as the routing knows it
     * @param rules which addresses may connect
     * @param grantsMars whether clients may use MARS
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
        } catch (Exception e) { // checked exceptions too, though bind declares none
            throw new IOException("can't listen on " + address + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /**
     * Directs new connections to another process that listens on the same port. Those already queued here must still be
     * accepted, so {@link #close} comes later.
     */
    public void handOver() {
        if (shared != null) {
            shared.handOver();
        }
    }

    public boolean isShared() {
        return shared != null;
    }

    /** The number of connections of this listener that have not sent their LOGIN7 yet. Blocks: not for event loops. */
    public int pendingLogins() {
        return channel.eventLoop().submit(gate::count).syncUninterruptibly().getNow();
    }

    /** Accepts no more clients. Connected ones stay. */
    @Override
    public void close() {
        channel.close().syncUninterruptibly();
    }
}
