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
 * The network side of a server connection: counts its traffic, and reports to its user when it becomes unusable. {@link
 * HangUp} decides when it has ended. Confined to its bucket's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public abstract class ServerLine extends ChannelInboundHandlerAdapter {
    /**
     * The idle time from which the kernel is asked: a connection that is idle for so long before each request serves at most
     * 200 per second, so the system calls cost nothing noticeable. The end of one that is used more often is reported to the
     * event loop within its present round.
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
     * Whether it has ended while it was idle, as far as the kernel knows: a request sent now could be lost, without a way to
     * know whether it has run. A connection that was used a moment ago is not checked, which saves the system call.
     */
    public final boolean hasEndedIdle() {
        return connection.idleBefore() >= WORTH_A_LOOK_NANOS && TcpState.isEnded(ctx().channel());
    }

    /** Records the session's number. Borrows a packet of the server. */
    protected final void noteSpid(ByteBuf packet) {
        if (spid == 0) {
            spid = PacketHeader.spid(packet);
        }
    }

    public final int spid() {
        return spid;
    }

    /** The server's address. */
    public final String address() {
        return ctx().channel().remoteAddress() instanceof InetSocketAddress to ? NetUtil.toSocketAddressString(to) : "";
    }

    /** Whether everything is encrypted, not only the login. */
    public final boolean isEncrypted() {
        return ctx().pipeline().get(SslHandler.class) != null;
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        connection.countReceived(bytes.readableBytes());
        received(bytes);
    }

    /** Takes bytes from the server. */
    protected abstract void received(ByteBuf bytes);

    /** Closes the connection after earlier writes. The channel becomes inactive when the server has closed its side, too. */
    protected final void hangUp() {
        ctx().close();
    }

    /** The server has violated the protocol: nothing that follows can be trusted. */
    protected final void cutOff(ProtocolException broken) {
        cutOff(broken.getMessage());
    }

    private void cutOff(@Nullable String why) {
        ending();
        ClientLines.ofServer(log, Level.WARN, connection.pool().bucket().id())
                .addKeyValue(ClientLines.REASON, String.valueOf(why))
                .log("server connection {} is closed: {}", connection, why);
        hangUp();
        // Later, as for a close by the server: the client may be in the middle of using it.
        ctx().executor().execute(this::broken);
    }

    /** The connection is about to be closed, which takes a while: nobody may begin to use it. Called at least once then. */
    protected abstract void ending();

    /** Reports to the client and the pool, unless they know, that it is unusable. Its end follows. */
    protected abstract void broken();

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cutOff(cause.toString());
    }
}
