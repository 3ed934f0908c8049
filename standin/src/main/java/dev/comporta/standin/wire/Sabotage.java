package dev.comporta.standin.wire;

import dev.comporta.standin.control.Misbehaviour;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.ThreadLocalRandom;

/** Spoils the responses to requests, as {@link Misbehaviour} demands. Placed between a session and its packets. */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: callers that care pass a promise
final class Sabotage extends ChannelDuplexHandler {
    private static final int GARBAGE_BYTES = 256;

    private final WireServer server;
    private long sentOfResponse;

    Sabotage(WireServer server) {
        this.server = server;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        sentOfResponse = 0;
        ctx.fireChannelRead(msg);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        Misbehaviour misbehaviour = server.misbehaviour();
        ByteBuf packets = (ByteBuf) msg;
        if (misbehaviour.garbage()) {
            packets.release();
            byte[] garbage = new byte[GARBAGE_BYTES];
            ThreadLocalRandom.current().nextBytes(garbage);
            garbage[0] = 0x7F; // not a packet type, so that no client accepts it by chance
            ctx.write(ctx.alloc().buffer().writeBytes(garbage), promise);
        } else if (misbehaviour.cutAfter() != Misbehaviour.NEVER) {
            cut(ctx, packets, promise, misbehaviour.cutAfter() - sentOfResponse);
        } else {
            ctx.write(packets, promise);
        }
    }

    private void cut(ChannelHandlerContext ctx, ByteBuf packets, ChannelPromise promise, long allowed) {
        int length = Math.clamp(allowed, 0, packets.readableBytes());
        sentOfResponse += length;
        if (length == packets.readableBytes()) {
            ctx.write(packets, promise);
            return;
        }
        ctx.write(packets.readRetainedSlice(length), promise);
        packets.release();
        ctx.flush();
        server.close(ctx.channel());
    }
}
