package dev.comporta.proxy.line;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a connection to a server ends, whichever side closes it and for whatever reason. The server counts a session until it has
 * ended it, which may take a rollback: so the server is told that nothing more comes (FIN), and the channel is closed when
 * the server has closed its side, not before. The first handler of its pipeline, so that TLS says its close_notify before.
 * Confined to the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes and closing: the channel's own end tells
public final class HangUp extends ChannelDuplexHandler {
    /**
     * What was written before has this long to go out. A server that does not read is told by the end of the stream, in the
     * middle of a message if need be.
     */
    private static final int FLUSH_MILLIS = 1000;

    private static final Logger log = LoggerFactory.getLogger(HangUp.class);

    private enum State {
        OPEN,
        /** Closed by us: what was written before is on its way. */
        FLUSHING,
        /** The server has been told, and has not closed its side yet. */
        AWAITING_END
    }

    private final Duration patience;
    private final Runnable endUnseen;
    private State state = State.OPEN;
    private @Nullable Future<?> flushTimeout;
    private @Nullable Future<?> endTimeout;

    /**
     * @param patience how long a server may take to close its side; zero for as long as its machine answers
     * @param endUnseen is run when the patience is over: the connection is closed, and the server may still have the session
     */
    public HangUp(Duration patience, Runnable endUnseen) {
        this.patience = patience;
        this.endUnseen = endUnseen;
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (!ctx.channel().isActive()) {
            ctx.close(promise);
            return;
        }
        ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
        if (state == State.OPEN) {
            state = State.FLUSHING;
            hangUp(ctx);
        }
    }

    private void hangUp(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(true); // or its end would not be seen
        flushTimeout = ctx.executor().schedule(() -> endOutput(ctx), FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        if (!patience.isZero()) {
            endTimeout = ctx.executor().schedule(() -> giveUp(ctx), patience.toNanos(), TimeUnit.NANOSECONDS);
        }
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> endOutput(ctx));
    }

    private void endOutput(ChannelHandlerContext ctx) {
        if (state == State.FLUSHING) {
            state = State.AWAITING_END;
            if (ctx.channel() instanceof DuplexChannel socket) {
                socket.shutdownOutput();
            }
        }
    }

    private void giveUp(ChannelHandlerContext ctx) {
        log.warn(
                "{}: the server has not closed its side within {}; it may still count the session",
                ctx.channel(),
                patience);
        ctx.close();
        endUnseen.run();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (state == State.OPEN) {
            ctx.fireChannelRead(message);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (state == State.OPEN) {
            ctx.fireExceptionCaught(cause);
        } else {
            log.debug("{}: failed while it was closed: {}", ctx.channel(), cause.toString()); // a reset, mostly
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancel(flushTimeout);
        cancel(endTimeout);
        ctx.fireChannelInactive();
    }

    private static void cancel(@Nullable Future<?> timeout) {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }
}
