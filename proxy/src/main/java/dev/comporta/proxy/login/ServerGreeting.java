package dev.comporta.proxy.login;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.WrappedTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Greets a server: PRELOGIN and the TLS handshake, until LOGIN7 may be sent. Confined to the bucket's loop. Ends with exactly
 * one call of its {@link Outcome}, which must replace this handler.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public final class ServerGreeting extends ServerTalk {
    /** Receives the result. */
    public interface Outcome {
        void greeted(Greeted server);

        /** The TLS handshake has ended; if it failed, so has the greeting. */
        void shookHands(boolean succeeded);

        /** The server sent no valid answer. */
        void failed(String why);
    }

    /**
     * What PRELOGIN asks for beyond encryption; nothing on shared connections.
     *
     * @param mars whether to use MARS
     * @param fedAuth whether the login will be an Entra login
     */
    public record Wishes(boolean mars, boolean fedAuth) {
        public static final Wishes NONE = new Wishes(false, false);
    }

    /** A server that waits for LOGIN7. */
    public static final class Greeted {
        private final Prelogin answer;
        private final boolean encrypted;
        private final @Nullable WrappedTls wrappedTls;

        Greeted(Prelogin answer, boolean encrypted, @Nullable WrappedTls wrappedTls) {
            this.answer = answer;
            this.encrypted = encrypted;
            this.wrappedTls = wrappedTls;
        }

        /** The server's PRELOGIN answer. */
        public Prelogin answer() {
            return answer;
        }

        /** Whether everything is encrypted, not only LOGIN7. */
        public boolean isEncrypted() {
            return encrypted;
        }

        /** Sends LOGIN7, and then ends the encryption if it is for LOGIN7 alone. */
        public void login(ChannelHandlerContext ctx, Login7 login) {
            ByteBuf payload = ctx.alloc().buffer(512);
            login.write(payload);
            send(ctx, PacketType.LOGIN7, payload);
            if (wrappedTls != null) {
                wrappedTls.endEncryption(ctx);
            }
        }
    }

    private enum State {
        TLS_FIRST,
        PRELOGIN,
        TLS_HANDSHAKE
    }

    /** Limit of the answer's bytes; those of real servers have some dozens. */
    private static final int MAX_ANSWER = 4096;

    private static final Prelogin.Version VERSION = new Prelogin.Version(1, 0, 0, 0);

    private final ServerDial dial;
    private final ServerDial.Server server;
    private final Wishes wishes;
    private final Outcome outcome;

    private State state = State.PRELOGIN;

    /** @param server the one of them that is greeted */
    public ServerGreeting(ServerDial dial, ServerDial.Server server, Wishes wishes, Outcome outcome) {
        super(MAX_ANSWER);
        this.dial = dial;
        this.server = server;
        this.wishes = wishes;
        this.outcome = outcome;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (dial.mode() == ServerDial.Mode.STRICT) {
            state = State.TLS_FIRST;
            SslHandler ssl = WrappedTls.withoutTimeLimit(Objects.requireNonNull(dial.contexts())
                    .strict()
                    .newHandler(ctx.alloc(), server.nameInCertificate(), server.port()));
            addTls(ctx, ssl);
            ssl.handshakeFuture().addListener(shaken -> {
                outcome.shookHands(shaken.isSuccess());
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
        Prelogin.Builder asked = Prelogin.builder(VERSION)
                .encryption(dial.mode().asked())
                .instance("")
                .threadId(new byte[4])
                .mars(wishes.mars());
        if (wishes.fedAuth()) {
            asked.fedAuthRequired(true);
        }
        ByteBuf payload = ctx.alloc().buffer(64);
        asked.build().write(payload);
        send(ctx, PacketType.PRELOGIN, payload);
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
    protected void received(ChannelHandlerContext ctx, ByteBuf answer) {
        switch (state) {
            case PRELOGIN -> whilePrelogin(ctx, Prelogin.read(answer));
            case TLS_FIRST, TLS_HANDSHAKE ->
                throw new ProtocolException("unexpected message from the server: no request is outstanding");
        }
    }

    private void whilePrelogin(ChannelHandlerContext ctx, Prelogin answer) {
        if (dial.mode() == ServerDial.Mode.STRICT) {
            greeted(answer, true, null);
            return;
        }
        Encryption.Outcome agreed = Encryption.outcome(dial.mode().asked(), answer.encryption());
        switch (agreed) {
            case PLAIN -> greeted(answer, false, null);
            case REFUSED ->
                fail(
                        ctx,
                        "the server answers %s to encryption %s; change the bucket's encrypt"
                                .formatted(answer.encryption(), dial.mode().asked()));
            case LOGIN_ONLY, FULL -> shakeHands(ctx, answer, agreed);
        }
    }

    private void shakeHands(ChannelHandlerContext ctx, Prelogin answer, Encryption.Outcome agreed) {
        state = State.TLS_HANDSHAKE;
        WrappedTls tls = WrappedTls.client(
                Objects.requireNonNull(dial.contexts()).wrapped(),
                ctx.channel(),
                server.nameInCertificate(),
                server.port(),
                agreed);
        addTls(ctx, tls);
        tls.handshakeFuture().addListener(shaken -> {
            outcome.shookHands(shaken.isSuccess());
            if (shaken.isSuccess()) {
                // After the last packet of the handshake, which is still being handled.
                ctx.executor().execute(() -> greeted(answer, agreed == Encryption.Outcome.FULL, tls));
            } else {
                fail(ctx, "TLS handshake failed: " + reason(shaken.cause()));
            }
        });
    }

    /** Before the packet decoder, and after the handler that closes the connection, so that TLS can send close_notify. */
    private static void addTls(ChannelHandlerContext ctx, ChannelHandler tls) {
        ctx.pipeline().addBefore(ctx.pipeline().context(PacketDecoder.class).name(), null, tls);
    }

    private void greeted(Prelogin answer, boolean encrypted, @Nullable WrappedTls wrappedTls) {
        if (end()) { // not closed meanwhile
            outcome.greeted(new Greeted(answer, encrypted, wrappedTls));
        }
    }

    @Override
    protected void failed(String why) {
        outcome.failed(why);
    }
}
