package dev.comporta.proxy.line;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The network side of a client that is past its login, and the ways in which it ends. Confined to its bucket's loop. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
public abstract class ClientLine extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(ClientLine.class);

    private @Nullable ChannelHandlerContext context;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    public final ChannelHandlerContext ctx() {
        return Objects.requireNonNull(context);
    }

    /** Takes bytes for the client. */
    public final void write(ByteBuf bytes) {
        ctx().write(bytes, ctx().voidPromise());
    }

    public final boolean isWritable() {
        return ctx().channel().isWritable();
    }

    /** Whether {@link #end} was called. */
    protected abstract boolean isClosed();

    /**
     * Nothing that the client sends or is sent counts any more, and what it has is given back. Called once. Not left to the
     * end of its channel: that comes only when all that was read has been passed on, and with TLS when the client has
     * taken its leave.
     */
    protected abstract void end();

    /** The client is to go now, whatever it does. */
    public final void cutOff(String why) {
        if (!isClosed()) {
            close(why);
        }
    }

    public final void close(@Nullable String why) {
        log.info("client {} is closed: {}", ctx().channel().remoteAddress(), why);
        end();
        ctx().close();
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        if (!isClosed()) {
            end();
        }
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (isClosed()) {
            return;
        }
        if (cause instanceof ProtocolException || cause instanceof IOException) {
            close(cause.getMessage());
        } else {
            log.error("client {}", ctx.channel().remoteAddress(), cause);
            end();
            ctx.close();
        }
    }
}
