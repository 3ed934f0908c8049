package dev.comporta.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Precedes the codec, after TLS. Reports the first byte of a request, at which its timeout starts, and drops bytes from a
 * caller that lingers or reads a stream. Confined to the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: channelInactive follows
final class RequestBytes extends ChannelInboundHandlerAdapter {
    /** How many bytes a caller that was refused may still send before it is disconnected. */
    private static final int LINGER_BYTES = 1 << 20;

    private final HttpCaller caller;
    private int dropped;

    RequestBytes(HttpCaller caller) {
        this.caller = caller;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (caller.acceptsRequests()) {
            caller.beginsToSend();
            ctx.fireChannelRead(message);
            return;
        }
        dropped += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
        ReferenceCountUtil.release(message);
        if (dropped > LINGER_BYTES) {
            ctx.close();
        }
    }
}
