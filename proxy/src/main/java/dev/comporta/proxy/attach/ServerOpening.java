package dev.comporta.proxy.attach;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.login.ServerGreeting;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerGreeting.Wishes;
import dev.comporta.proxy.login.ServerLogin;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens one server connection: dials and greets it; logs in, where clients share it, and becomes a {@link PooledServer}.
 * Unless it is called off before.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: what becomes of it is told by its outcome
final class ServerOpening implements ServerGreeting.Outcome, ServerLogin.Outcome {
    /** What becomes of it: greets first perhaps, then exactly one of the others, also when it is called off. */
    interface Outcome {
        /** The server answers, and is told now who logs in: what fails from here on may be due to that login alone. */
        void greets(ServerConnection connection);

        void opened(ServerPool pool, PooledServer session);

        /** It awaits the login of the client that it is for. */
        void greeted(DedicatedServer server);

        void rejected(ServerPool pool, ServerConnection connection, LoginResponse response);

        /** The server was told who logs in, and gave no answer that makes sense. */
        void loginFailed(ServerPool pool, ServerConnection connection, String why);

        /** The server could not be reached, or made no sense before it was told who logs in. */
        void failed(ServerConnection connection, String why);
    }

    private final ServerConnection connection;
    private final BucketLoop bucketLoop;
    private final Outcome outcome;
    private @Nullable Channel channel;
    /** Whether the server has been told who logs in. */
    private boolean loggingIn;

    ServerOpening(ServerConnection connection, BucketLoop bucketLoop) {
        this.connection = connection;
        this.bucketLoop = bucketLoop;
        outcome = bucketLoop.reports();
    }

    void dial(EventLoop loop, Transport transport, SocketLimits limits, ServerDial dial) {
        ServerOpening self = this;
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.socket())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, limits.waterMark())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel ch) {
                        ch.pipeline()
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new ServerGreeting(dial, wishes(), self));
                    }
                });
        transport.keepAlive(bootstrap, limits.keepAlive());
        ChannelFuture dialled = bootstrap.connect(dial.host(), dial.port());
        channel = dialled.channel();
        dialled.addListener(done -> {
            if (!done.isSuccess()) {
                outcome.failed(connection, reason(done.cause()));
            }
        });
    }

    private Wishes wishes() {
        return connection.pool().key() instanceof Dedication dedication ? dedication.wishes() : Wishes.NONE;
    }

    private ServerPool pool() {
        return (ServerPool) connection.pool().key();
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Nobody waits for it any more. Its outcome is still told, once nothing of it is left. */
    void callOff() {
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void greeted(Greeted server) {
        Channel ch = Objects.requireNonNull(channel);
        if (connection.pool().key() instanceof Dedication) {
            DedicatedServer dedicated = new DedicatedServer(bucketLoop.dedications(), connection, server);
            ch.pipeline().replace(ServerGreeting.class, null, dedicated);
            outcome.greeted(dedicated);
        } else {
            outcome.greets(connection);
            loggingIn = true;
            ch.pipeline().replace(ServerGreeting.class, null, new ServerLogin(server, pool().login(), this));
        }
    }

    @Override
    public void loggedIn(LoginResponse response) {
        Channel ch = Objects.requireNonNull(channel);
        PooledServer session = new PooledServer(bucketLoop.reports(), connection, response);
        ch.pipeline().get(PacketDecoder.class).maxLength(response.packetSize());
        ch.pipeline().replace(ServerLogin.class, null, session);
        outcome.opened(pool(), session);
    }

    @Override
    public void rejected(LoginResponse response) {
        Channel ch = Objects.requireNonNull(channel);
        // Not before the server can no longer count it.
        ch.close().addListener(closed -> outcome.rejected(pool(), connection, response));
    }

    @Override
    public void failed(String why) {
        if (loggingIn) {
            outcome.loginFailed(pool(), connection, why);
        } else {
            outcome.failed(connection, why);
        }
    }
}
