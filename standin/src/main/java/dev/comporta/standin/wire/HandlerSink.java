package dev.comporta.standin.wire;

import dev.comporta.tds.packet.PacketSink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/** Sends short messages from a handler, on the event loop, without waiting. */
record HandlerSink(ChannelHandlerContext ctx) implements PacketSink {
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the channel
    public void send(ByteBuf packets, boolean endOfMessage) {
        ctx.writeAndFlush(packets, ctx.voidPromise());
    }
}
