package dev.comporta.proxy.loop;

import dev.comporta.proxy.line.HangUp;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.login.ServerDial.Server;
import dev.comporta.proxy.login.ServerGreeting;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerLogin;
import dev.comporta.proxy.watch.Reason;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to open a server connection, at one address of one server. Reports its result to its {@link ServerOpening},
 * until it is given up. Confined to the bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: the outcome reports the end
final class DialAttempt implements ServerGreeting.Outcome, ServerLogin.Outcome {
    /**
     * A running server answers within milliseconds; after this time the second SYN, sent after 1 s, was lost as well. Then
     * the next address is tried.
     */
    private static final int CONNECT_MILLIS = 2000;
    /** For the last address: long enough for the third SYN, sent after 3 s. The next opening looks its name up again. */
    private static final int LAST_CONNECT_MILLIS = 5000;

    private final ServerOpening opening;
    private final Server server;
    private final InetAddress address;
    private @Nullable Channel channel;
    /** The pool whose login was sent, for a connection to be shared. */
    private @Nullable ServerPool loggingIn;
    /** Its outcome is ignored: another attempt has begun. */
    private boolean givenUp;

    DialAttempt(ServerOpening opening, Server server, InetAddress address) {
        this.opening = opening;
        this.server = server;
        this.address = address;
    }

    void begin(EventLoop loop, Transport transport, SocketLimits limits, ServerDial dial, boolean last) {
        DialAttempt self = this;
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.socket())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, last ? LAST_CONNECT_MILLIS : CONNECT_MILLIS)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, limits.waterMark())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel ch) {
                        ch.pipeline()
                                .addLast(new HangUp(limits.closeTimeout(), self::endUnseen))
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new ServerGreeting(dial, server, opening.wishes(), self));
                    }
                });
        transport.keepAlive(bootstrap, limits.keepAlive());
        ChannelFuture dialled = bootstrap.connect(new InetSocketAddress(address, server.port()));
        if (dialled.isDone() && !dialled.isSuccess()) {
            // The socket could not be created, for example with too many open files. Netty returns a channel that has
            // no event loop, whose close() throws, and would call a listener on its global executor's thread.
            loop.execute(() -> notDialled(dialled.cause()));
            return;
        }
        channel = dialled.channel();
        dialled.addListener(done -> {
            if (!done.isSuccess()) {
                notDialled(done.cause());
            }
        });
    }

    private void notDialled(Throwable why) {
        if (!givenUp) {
            opening.failed(this, Reason.of(why));
        }
    }

    Server server() {
        return server;
    }

    InetAddress address() {
        return address;
    }

    @Nullable
    ServerPool loggingIn() {
        return loggingIn;
    }

    /** Closes the connection. An outcome not reported yet follows when the connection has ended. */
    void close() {
        if (channel != null) {
            channel.close();
        }
    }

    /** Closes the connection; its outcome is no longer reported. */
    void giveUp() {
        givenUp = true;
        close();
    }

    private void endUnseen() {
        if (!givenUp) {
            opening.endUnseen();
        }
    }

    /** Whether the server may still count the connection. */
    boolean isStillOpen() {
        return channel != null && channel.isActive();
    }

    void whenClosed(Runnable action) {
        Objects.requireNonNull(channel).closeFuture().addListener(_ -> action.run());
    }

    @Override
    public void shookHands(boolean succeeded) {
        opening.shookHands(succeeded);
    }

    @Override
    public void greeted(Greeted greeted) {
        if (!givenUp) {
            opening.greeted(greeted);
        }
    }

    void logIn(Greeted greeted, ServerPool pool, Login7 login) {
        loggingIn = pool;
        pipeline().replace(ServerGreeting.class, null, new ServerLogin(greeted, login, this));
    }

    /** The connection is open: this handler replaces the one that opened it. */
    void becomes(Class<? extends ChannelHandler> before, ChannelHandler session) {
        pipeline().replace(before, null, session);
    }

    ChannelPipeline pipeline() {
        return Objects.requireNonNull(channel).pipeline();
    }

    @Override
    public void loggedIn(LoginResponse response) {
        opening.loggedIn(response);
    }

    @Override
    public void rejected(LoginResponse response) {
        if (!givenUp) {
            opening.rejected(this, response);
        }
    }

    @Override
    public void failed(String why) {
        if (!givenUp) {
            opening.failed(this, why);
        }
    }
}
