package dev.comporta.proxy.attach;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.login.ServerLogin;
import dev.comporta.proxy.relay.ServerSession;
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

/** Opens one server connection: dials, logs in, and becomes a {@link ServerSession}, unless it is called off before. */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: what becomes of it is told by its outcome
final class ServerOpening implements ServerLogin.Outcome {
    /** What becomes of it: connected first perhaps, then exactly one of the others, also when it is called off. */
    interface Outcome {
        void connected(ServerConnection connection);

        void opened(ServerPool pool, ServerSession session);

        void rejected(ServerPool pool, ServerConnection connection, LoginResponse response);

        void failed(ServerConnection connection, String why);
    }

    /** Kept here and not looked up later: the pool may be gone from the books before its server answers. */
    private final ServerPool pool;

    private final ServerConnection connection;
    private final ServerSession.Owner owner;
    private final Outcome outcome;
    private @Nullable Channel channel;

    ServerOpening(ServerPool pool, ServerConnection connection, ServerSession.Owner owner, Outcome outcome) {
        this.pool = pool;
        this.connection = connection;
        this.owner = owner;
        this.outcome = outcome;
    }

    void dial(EventLoop loop, Transport transport, ServerDial dial) {
        ServerOpening self = this;
        ChannelFuture dialled = new Bootstrap()
                .group(loop)
                .channel(transport.socket())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel ch) {
                        ch.pipeline()
                                .addLast(new PacketDecoder(PacketHeader.MAX_PACKET_SIZE))
                                .addLast(new ServerLogin(dial, pool.login(), self));
                    }
                })
                .connect(dial.host(), dial.port());
        channel = dialled.channel();
        dialled.addListener(done -> {
            if (done.isSuccess()) {
                outcome.connected(connection);
            } else {
                outcome.failed(connection, reason(done.cause()));
            }
        });
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
    public void loggedIn(LoginResponse response) {
        Channel ch = Objects.requireNonNull(channel);
        ServerSession session = new ServerSession(owner, connection, response);
        ch.pipeline().get(PacketDecoder.class).maxLength(response.packetSize());
        ch.pipeline().replace(ServerLogin.class, null, session);
        outcome.opened(pool, session);
    }

    @Override
    public void rejected(LoginResponse response) {
        Channel ch = Objects.requireNonNull(channel);
        // Not before the server can no longer count it.
        ch.close().addListener(closed -> outcome.rejected(pool, connection, response));
    }

    @Override
    public void failed(String why) {
        outcome.failed(connection, why);
    }
}
