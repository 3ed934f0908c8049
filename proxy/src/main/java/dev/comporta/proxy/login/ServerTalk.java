package dev.comporta.proxy.login;

import dev.comporta.proxy.watch.Reason;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * What is said to a server, and heard from it, before it is logged in to. Confined to the bucket's loop. It ends once, with
 * success or failure; then it is to be replaced.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: what becomes of it is told when it is over
abstract sealed class ServerTalk extends ChannelInboundHandlerAdapter permits ServerGreeting, ServerLogin {
    private final MessageAssembler message;
    private boolean over;

    /** @param mostBytes a server that answers with more is none */
    ServerTalk(int mostBytes) {
        message = new MessageAssembler(mostBytes);
    }

    /** Takes a whole answer, which stays its owner's. */
    protected abstract void heard(ChannelHandlerContext ctx, ByteBuf answer);

    /** The server gave no valid answer. */
    protected abstract void failed(String why);

    /** @return whether it was not over before */
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
            heard(ctx, answer);
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
