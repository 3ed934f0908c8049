package dev.comporta.proxy.line;

import dev.comporta.pool.ServerConnection;
import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network side of a server connection: what goes over it is counted, and it does not end before the server knows.
 * Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public abstract class ServerLine extends ChannelInboundHandlerAdapter {
    /** A round trip and what a server needs to end a session; more would only delay who waits for the slot. */
    private static final int HANG_UP_MILLIS = 1000;

    private static final Logger log = LoggerFactory.getLogger(ServerLine.class);

    private final ServerConnection connection;
    private @Nullable ChannelHandlerContext context;

    protected ServerLine(ServerConnection connection) {
        this.connection = connection;
    }

    public final ServerConnection connection() {
        return connection;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    protected final ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }

    /** Takes packets for the server. */
    protected final void write(ByteBuf packets) {
        connection.countSent(packets.readableBytes());
        ctx().write(packets, ctx().voidPromise());
    }

    public final void flush() {
        ctx().flush();
    }

    public final void lookAt(PausedPeers paused, long now) {
        paused.look(ctx().channel(), now);
    }

    public final boolean isWritable() {
        return ctx().channel().isWritable();
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        connection.countReceived(bytes.readableBytes());
        heard(bytes);
    }

    /** Takes what the server says. */
    protected abstract void heard(ByteBuf bytes);

    /**
     * Tells the server, behind what it was sent before, that nothing more comes; and it hangs up. So it has let go of its
     * session when the slot is given to another. One that does not hang up in time is cut off.
     */
    protected final void hangUp() {
        ctx().channel().config().setAutoRead(true);
        ctx().writeAndFlush(ctx().alloc().buffer(0)).addListener(written -> {
            if (ctx().channel() instanceof DuplexChannel socket) {
                socket.shutdownOutput();
            }
        });
        ctx().executor().schedule(() -> ctx().close(), HANG_UP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** What the server says makes no sense: nothing that follows could be trusted. */
    protected final void cutOff(ProtocolException broken) {
        cutOff(broken.getMessage());
    }

    private void cutOff(@Nullable String why) {
        ending();
        log.warn("server connection {} is closed: {}", connection, why);
        ctx().close();
    }

    /** It is about to be closed, which takes a while: nobody may begin to use it. Called at least once then. */
    protected void ending() {}

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cutOff(cause.toString());
    }
}
