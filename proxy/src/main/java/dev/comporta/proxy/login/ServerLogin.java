package dev.comporta.proxy.login;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Logs in to a server that was greeted: LOGIN7, and the server's answer, which is kept whole. Confined to the bucket's
 * loop. Ends with exactly one call of its {@link Outcome}; then it wants to be replaced.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing: what becomes of it is told by its outcome
public final class ServerLogin extends ChannelInboundHandlerAdapter {
    /** What becomes of it. */
    public interface Outcome {
        void loggedIn(LoginResponse response);

        /** The server said no: its own words are in the response. */
        void rejected(LoginResponse response);

        /** No answer that makes sense was to be had. */
        void failed(String why);
    }

    private enum State {
        LOGIN7,
        OVER
    }

    /** A login's answer is a few hundred bytes; a server that sends more than this is none. */
    private static final int MAX_ANSWER = 256 * 1024;

    private final ServerGreeting.Greeted server;
    private final Login7 login;
    private final Outcome outcome;
    private final MessageAssembler message = new MessageAssembler(MAX_ANSWER);

    private State state = State.LOGIN7;

    public ServerLogin(ServerGreeting.Greeted server, Login7 login, Outcome outcome) {
        this.server = server;
        this.login = login;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        server.login(ctx, login);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object packet) {
        if (!message.add((ByteBuf) packet)) {
            return;
        }
        ByteBuf body = message.take();
        try {
            if (message.type() != PacketType.TABULAR_RESULT) {
                throw new ProtocolException("a %s during the login".formatted(PacketType.name(message.type())));
            }
            switch (state) {
                case LOGIN7 -> whileLogin7(ctx, body);
                case OVER -> throw new ProtocolException("an answer to nothing");
            }
        } finally {
            body.release();
        }
    }

    private void whileLogin7(ChannelHandlerContext ctx, ByteBuf body) {
        LoginResponse response = LoginResponse.read(body, login.negotiatedVersion());
        if (response.routedTo() != null) {
            fail(
                    ctx,
                    "it sends its clients on to %s: make that the bucket's host and port"
                            .formatted(response.routedTo()));
            return;
        }
        state = State.OVER;
        if (response.isAcknowledged()) {
            outcome.loggedIn(response);
        } else {
            outcome.rejected(response);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(ctx, "the server closed the connection during the login");
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(ctx, ServerGreeting.reason(cause));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        message.discard();
    }

    private void fail(ChannelHandlerContext ctx, String why) {
        message.discard();
        if (state == State.OVER) {
            return;
        }
        state = State.OVER;
        ctx.close();
        outcome.failed(why);
    }
}
