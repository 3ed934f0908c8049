package dev.comporta.proxy.login;

import dev.comporta.proxy.watch.Reason;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * An exchange of messages with a server before it is logged in to. Confined to the bucket's loop. Ends once, with success or
 * failure, and must then be replaced in the pipeline.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: the result is reported when it ends
abstract sealed class ServerTalk extends ChannelInboundHandlerAdapter permits ServerGreeting, ServerLogin {
    private final MessageAssembler message;
    private boolean over;

    /** @param mostBytes limit of an answer; whatever sends more is no SQL Server */
    ServerTalk(int mostBytes) {
        message = new MessageAssembler(mostBytes);
    }

    /** Handles a whole answer, which is borrowed. */
    protected abstract void received(ChannelHandlerContext ctx, ByteBuf answer);

    /** The server sent no valid answer. */
    protected abstract void failed(String why);

    /** @return false if it had ended before */
    protected final boolean end() {
        boolean first = !over;
        over = true;
        return first;
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object packet) {
        if (!message.add((ByteBuf) packet)) {
            return;
        }
        ByteBuf answer = message.take();
        try {
            if (message.type() != PacketType.TABULAR_RESULT) {
                throw new ProtocolException("a %s during the login".formatted(PacketType.name(message.type())));
            }
            if (over) {
                throw new ProtocolException("unexpected message from the server: no request is outstanding");
            }
            received(ctx, answer);
        } finally {
            answer.release();
        }
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        fail(ctx, "the server closed the connection during the login");
        ctx.fireChannelInactive();
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, reason(cause));
    }

    @Override
    public final void handlerRemoved(ChannelHandlerContext ctx) {
        message.discard();
    }

    protected final void fail(ChannelHandlerContext ctx, String why) {
        message.discard();
        if (end()) {
            ctx.close();
            failed(why);
        }
    }

    protected static String reason(Throwable cause) {
        return Reason.of(cause);
    }
}
