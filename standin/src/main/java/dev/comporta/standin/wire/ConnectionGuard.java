package dev.comporta.standin.wire;

import dev.comporta.tds.ProtocolException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last handler of every connection: logs its first error in one line, closes it, and enforces the login timeout. */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);

    private enum State {
        LOGGING_IN,
        LOGGED_IN,
        FAILED
    }

    private final WireServer server;
    private State state = State.LOGGING_IN;
    private @Nullable Future<?> timeout;

    ConnectionGuard(WireServer server) {
        this.server = server;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        timeout = ctx.executor()
                .schedule(
                        () -> fail(ctx, "no login within " + server.settings().loginTimeout()),
                        server.settings().loginTimeout().toNanos(),
                        TimeUnit.NANOSECONDS);
        ctx.fireChannelActive();
    }

    void loggedIn() {
        state = State.LOGGED_IN;
        stopTimeout();
    }

    private void stopTimeout() {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent && state != State.LOGGED_IN) {
            server.close(ctx.channel());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ReferenceCountUtil.release(msg);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (state == State.FAILED) {
            LOG.debug("{}: after the first error: {}", ctx.channel().remoteAddress(), cause.toString());
            return;
        }
        Throwable root = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        switch (root) {
            case ProtocolException e -> fail(ctx, String.valueOf(e.getMessage()));
            case SSLException e -> fail(ctx, "TLS failed: " + e.getMessage());
            case IOException e -> {
                LOG.debug("{}: {}", ctx.channel().remoteAddress(), e.toString());
                server.close(ctx.channel());
            }
            default -> {
                LOG.error("{}: the stand-in failed", ctx.channel().remoteAddress(), root);
                server.close(ctx.channel());
            }
        }
    }

    /** Called once per connection: errors after the first are its consequences. */
    private void fail(ChannelHandlerContext ctx, String reason) {
        state = State.FAILED;
        server.tally().protocolErrors.increment();
        LOG.warn("{}: protocol error: {}; connection closed", ctx.channel().remoteAddress(), reason);
        server.close(ctx.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stopTimeout();
        if (state == State.LOGGING_IN) {
            LOG.info("{}: disconnected before its login", ctx.channel().remoteAddress());
        }
        ctx.fireChannelInactive();
    }
}
