package dev.comporta.proxy.loop;

import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.line.HangUp;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.listen.SocketLimits;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.login.ServerGreeting;
import dev.comporta.proxy.login.ServerGreeting.Greeted;
import dev.comporta.proxy.login.ServerLogin;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens one server connection: dials and greets it; logs in, where clients share it, and becomes a {@link PooledServer}.
 * Unless it is closed before. What becomes of it is reported: greets first perhaps, then exactly one of the others.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: what becomes of it is told by its outcome
final class ServerOpening implements ServerLink, ServerGreeting.Outcome, ServerLogin.Outcome {
    private final ServerConnection connection;
    private final Dedications dedications;
    private final ServerReports outcome;
    private @Nullable Channel channel;
    /** Whose login the server has been told, where the connection is to be shared. */
    private @Nullable ServerPool loggingIn;

    ServerOpening(ServerConnection connection, ServerReports outcome, Dedications dedications) {
        this.connection = connection;
        this.outcome = outcome;
        this.dedications = dedications;
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
                                .addLast(new HangUp(limits.closeTimeout(), () -> outcome.endUnseen(connection)))
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new ServerGreeting(dial, owner().wishes(), self));
                    }
                });
        transport.keepAlive(bootstrap, limits.keepAlive());
        ChannelFuture dialled = bootstrap.connect(dial.host(), dial.port());
        channel = dialled.channel();
        dialled.addListener(done -> {
            if (!done.isSuccess()) {
                outcome.failed(connection, reason(done.cause()), false);
            }
        });
    }

    private PoolOwner owner() {
        return PoolOwner.of(connection.pool());
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Nobody waits for it any more, or it failed. If its outcome was not told, it is, once nothing of it is left. */
    @Override
    public void close() {
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void attach(Requester to) {
        throw notOpen();
    }

    @Override
    public void reset() {
        throw notOpen();
    }

    @Override
    public void validate(HealthSettings.Check how) {
        throw notOpen();
    }

    @Override
    public @Nullable ServerLine line() {
        return null;
    }

    private IllegalStateException notOpen() {
        return new IllegalStateException(connection + " is not open yet");
    }

    @Override
    public void greeted(Greeted server) {
        owner().greeted(this, server);
    }

    /** It is to be shared: the proxy logs in. */
    void logIn(Greeted server, ServerPool pool) {
        outcome.greets(connection);
        loggingIn = pool;
        pipeline().replace(ServerGreeting.class, null, new ServerLogin(server, pool.login(), this));
    }

    /** It is for one client, which logs in itself. */
    void handOver(Greeted server) {
        DedicatedServer dedicated = new DedicatedServer(dedications, connection, server);
        pipeline().replace(ServerGreeting.class, null, dedicated);
        outcome.greeted(dedicated);
    }

    private ChannelPipeline pipeline() {
        return Objects.requireNonNull(channel).pipeline();
    }

    @Override
    public void loggedIn(LoginResponse response) {
        PooledServer session = new PooledServer(outcome, connection, response);
        pipeline().get(PacketDecoder.class).maxLength(response.packetSize());
        pipeline().replace(ServerLogin.class, null, session);
        outcome.opened(Objects.requireNonNull(loggingIn), session);
    }

    @Override
    public void rejected(LoginResponse response) {
        outcome.rejected(Objects.requireNonNull(loggingIn), connection, response, isStillOpen());
    }

    @Override
    public void failed(String why) {
        if (loggingIn != null) {
            outcome.loginFailed(loggingIn, connection, why, isStillOpen());
        } else {
            outcome.failed(connection, why, isStillOpen());
        }
    }

    /** Its end is told then, when the server can no longer count it. */
    private boolean isStillOpen() {
        Channel opened = Objects.requireNonNull(channel);
        boolean stillOpen = opened.isActive();
        if (stillOpen) {
            opened.closeFuture().addListener(_ -> outcome.closed(connection));
        }
        return stillOpen;
    }
}
