package dev.comporta.proxy.listen;

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
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A port that clients dial. */
public final class Listener implements AutoCloseable {
    /** As many as may knock while all threads are busy; the kernel's own limit still holds. */
    private static final int BACKLOG = 4096;

    private final Channel channel;

    private Listener(Channel channel) {
        this.channel = channel;
    }

    /**
     * Binds, or says why not.
     *
     * @param acceptor does nothing else, so that who knocks is let in however busy the others are: the kernel's queue is
     *     short, and a client that finds it full tries again after one second, then two, then four
     * @param tls asked for each client, so that a new certificate needs no restart
     * @param budget for the bytes of all unfinished logins of the instance
     * @param sockets for all clients of the instance, logged in or not
     * @param grantsMars whether clients may have several requests at the same time
     * @param arrived gets each client that has sent its LOGIN7, on the thread that accepted it
     */
    public static Listener bind(
            InetSocketAddress address,
            EventLoopGroup acceptor,
            EventLoopGroup loops,
            Transport transport,
            Supplier<ClientTls> tls,
            Duration loginTimeout,
            SocketLimits limits,
            LoginBudget budget,
            ClientPlaces sockets,
            BooleanSupplier grantsMars,
            Consumer<ClientHello> arrived)
            throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(acceptor, loops)
                .channel(transport.serverSocket())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, limits.waterMark())
                .handler(new LoginGate(limits.logins(), budget, sockets))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        ClientTls now = tls.get();
                        PendingLogin pending = LoginGate.of(client);
                        client.pipeline()
                                .addLast(pending)
                                .addLast(new FirstByteSwitch(now.strict()))
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new ClientLogin(
                                        now, loginTimeout.toNanos(), limits.loginSize(), grantsMars, pending, arrived));
                    }
                });
        transport.keepAlive(bootstrap, limits.keepAlive());
        try {
            return new Listener(bootstrap.bind(address).syncUninterruptibly().channel());
        } catch (Exception e) { // the cause is checked, though bind does not say so
            throw new IOException("can't listen on " + address + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Accepts no more clients. Those that are there stay. */
    @Override
    public void close() {
        channel.close().syncUninterruptibly();
    }
}
