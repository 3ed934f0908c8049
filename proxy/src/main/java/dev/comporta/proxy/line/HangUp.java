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
 * Closes connections to servers, whichever side ends them and for whatever reason. The server counts a session until it has
 * ended it, which may take a rollback: so this sends FIN, and closes the channel only when the server has closed its side.
 * The first handler of its pipeline, so that TLS sends its close_notify before. Confined to the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes and closing: channelInactive reports the end
public final class HangUp extends ChannelDuplexHandler {
    /** How long earlier writes may take to go out. FIN is sent then, in the middle of a message if the server does not read. */
    private static final int FLUSH_MILLIS = 1000;

    private static final Logger log = LoggerFactory.getLogger(HangUp.class);

    private enum State {
        OPEN,
        /** Closed by Comporta: earlier writes are still going out. */
        FLUSHING,
        /** FIN was sent, and the server has not closed its side yet. */
        AWAITING_END
    }

    private final Duration patience;
    private final Runnable endUnseen;
    private State state = State.OPEN;
    private @Nullable Future<?> flushTimeout;
    private @Nullable Future<?> endTimeout;

    /**
     * @param patience timeout for the server to close its side; zero for none, as long as its machine acknowledges
     * @param endUnseen runs when that timeout expires: the connection is closed, and the server may still have the session
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
        ctx.channel().config().setAutoRead(true); // or the server's FIN would not be seen
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
            log.debug("{}: failed while it was closed: {}", ctx.channel(), cause.toString()); // mostly an RST
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
