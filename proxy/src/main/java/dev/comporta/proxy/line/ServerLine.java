package dev.comporta.proxy.line;

import dev.comporta.pool.ServerConnection;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.PacketHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The network side of a server connection: its traffic is counted, and its user is told when it can no longer be used. When
 * it has ended is for {@link HangUp}. Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public abstract class ServerLine extends ChannelInboundHandlerAdapter {
    /**
     * A connection that is idle for so long before each request serves at most 200 of them per second: the cost of a system
     * call does not show. Of one that is used more often, the event loop hears within its present round that it has ended.
     */
    private static final long WORTH_A_LOOK_NANOS = 5_000_000L;

    private static final Logger log = LoggerFactory.getLogger(ServerLine.class);

    private final ServerConnection connection;
    private @Nullable ChannelHandlerContext context;
    /** The session's number at the server; 0 before it has answered. */
    private int spid;

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

    /**
     * Whether it has ended while it was idle, as far as the kernel knows: a request that is sent now may be lost, and it
     * would be unknown whether it has run. A connection that was used a moment ago is not looked at, to save the system
     * call.
     */
    public final boolean hasEndedIdle() {
        return connection.idleBefore() >= WORTH_A_LOOK_NANOS && TcpState.isEnded(ctx().channel());
    }

    /** Takes note of the session's number. Borrows a packet of the server. */
    protected final void noteSpid(ByteBuf packet) {
        if (spid == 0) {
            spid = PacketHeader.spid(packet);
        }
    }

    public final int spid() {
        return spid;
    }

    /** Of the server. */
    public final String address() {
        return ctx().channel().remoteAddress() instanceof InetSocketAddress to ? NetUtil.toSocketAddressString(to) : "";
    }

    /** Whether all that follows the login is. */
    public final boolean isEncrypted() {
        return ctx().pipeline().get(SslHandler.class) != null;
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        connection.countReceived(bytes.readableBytes());
        heard(bytes);
    }

    /** Takes what the server says. */
    protected abstract void heard(ByteBuf bytes);

    /** Ends the connection, behind what was written before. The channel becomes inactive when the server has ended it, too. */
    protected final void hangUp() {
        ctx().close();
    }

    /** What the server says makes no sense: nothing that follows could be trusted. */
    protected final void cutOff(ProtocolException broken) {
        cutOff(broken.getMessage());
    }

    private void cutOff(@Nullable String why) {
        ending();
        ClientLines.ofServer(log, Level.WARN, connection.pool().bucket().id())
                .addKeyValue(ClientLines.REASON, String.valueOf(why))
                .log("server connection {} is closed: {}", connection, why);
        hangUp();
        // Later, as if it had closed: this may be in the middle of what its client does with it.
        ctx().executor().execute(this::broken);
    }

    /** It is about to be closed, which takes a while: nobody may begin to use it. Called at least once then. */
    protected abstract void ending();

    /** Tells its client and the pool, unless they know, that it can no longer be used. Its end follows. */
    protected abstract void broken();

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cutOff(cause.toString());
    }
}
