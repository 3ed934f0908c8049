package dev.comporta.proxy.login;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.WrappedTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Logs in to a server: PRELOGIN, the TLS handshake, LOGIN7, and the server's answer, which is kept whole. Confined to the
 * bucket's loop. Ends with exactly one call of its {@link Outcome}; then it wants to be replaced.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection tells of itself
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
        TLS_FIRST,
        PRELOGIN,
        TLS_HANDSHAKE,
        LOGIN7,
        OVER
    }

    /** A login's answer is a few hundred bytes; a server that sends more than this is none. */
    private static final int MAX_ANSWER = 256 * 1024;

    private static final Prelogin.Version VERSION = new Prelogin.Version(1, 0, 0, 0);

    private final ServerDial dial;
    private final Login7 login;
    private final Outcome outcome;
    private final MessageAssembler message = new MessageAssembler(MAX_ANSWER);

    private State state = State.PRELOGIN;
    private @Nullable WrappedTls wrappedTls;

    public ServerLogin(ServerDial dial, Login7 login, Outcome outcome) {
        this.dial = dial;
        this.login = login;
        this.outcome = outcome;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (dial.mode() == ServerDial.Mode.STRICT) {
            state = State.TLS_FIRST;
            SslHandler ssl = Objects.requireNonNull(dial.contexts())
                    .strict()
                    .newHandler(ctx.alloc(), dial.nameInCertificate(), dial.port());
            ctx.pipeline().addFirst(ssl);
            ssl.handshakeFuture().addListener(shaken -> {
                if (shaken.isSuccess()) {
                    sendPrelogin(ctx);
                } else {
                    fail(ctx, "TLS handshake failed: " + reason(shaken.cause()));
                }
            });
        } else {
            sendPrelogin(ctx);
        }
        ctx.fireChannelActive();
    }

    private void sendPrelogin(ChannelHandlerContext ctx) {
        state = State.PRELOGIN;
        Prelogin asked = Prelogin.builder(VERSION)
                .encryption(dial.mode().asked())
                .instance("")
                .threadId(new byte[4])
                .mars(false)
                .build();
        ByteBuf payload = ctx.alloc().buffer(64);
        asked.write(payload);
        send(ctx, PacketType.PRELOGIN, payload);
    }

    private void sendLogin(ChannelHandlerContext ctx) {
        state = State.LOGIN7;
        ByteBuf payload = ctx.alloc().buffer(512);
        login.write(payload);
        send(ctx, PacketType.LOGIN7, payload);
        if (wrappedTls != null) {
            wrappedTls.endEncryption(ctx);
        }
    }

    private static void send(ChannelHandlerContext ctx, int type, ByteBuf payload) {
        try {
            MessageWriter writer = new MessageWriter(ctx.alloc(), (packets, end) -> ctx.write(packets));
            writer.begin(type).writeBytes(payload).end();
        } finally {
            payload.release();
        }
        ctx.flush();
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
                case PRELOGIN -> whilePrelogin(ctx, Prelogin.read(body));
                case LOGIN7 -> whileLogin7(body);
                case TLS_FIRST, TLS_HANDSHAKE, OVER -> throw new ProtocolException("an answer to nothing");
            }
        } finally {
            body.release();
        }
    }

    private void whilePrelogin(ChannelHandlerContext ctx, Prelogin answer) {
        if (dial.mode() == ServerDial.Mode.STRICT) {
            sendLogin(ctx);
            return;
        }
        Encryption.Outcome agreed = Encryption.outcome(dial.mode().asked(), answer.encryption());
        switch (agreed) {
            case PLAIN -> sendLogin(ctx);
            case REFUSED ->
                fail(
                        ctx,
                        "the server answers %s to encryption %s; change the bucket's encrypt"
                                .formatted(answer.encryption(), dial.mode().asked()));
            case LOGIN_ONLY, FULL -> shakeHands(ctx, agreed);
        }
    }

    private void shakeHands(ChannelHandlerContext ctx, Encryption.Outcome agreed) {
        state = State.TLS_HANDSHAKE;
        WrappedTls tls = WrappedTls.client(
                Objects.requireNonNull(dial.contexts()), ctx.channel(), dial.nameInCertificate(), dial.port(), agreed);
        wrappedTls = tls;
        ctx.pipeline().addFirst(tls);
        tls.handshakeFuture().addListener(shaken -> {
            if (shaken.isSuccess()) {
                // Behind the last packet of the handshake, which is still being handled.
                ctx.executor().execute(() -> sendLogin(ctx));
            } else {
                fail(ctx, "TLS handshake failed: " + reason(shaken.cause()));
            }
        });
    }

    private void whileLogin7(ByteBuf body) {
        LoginResponse response = LoginResponse.read(body, login.negotiatedVersion());
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
        fail(ctx, reason(cause));
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

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
