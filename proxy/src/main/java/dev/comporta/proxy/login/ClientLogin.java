package dev.comporta.proxy.login;

import dev.comporta.proxy.origin.ClientAddress;
import dev.comporta.proxy.watch.ClientLines;
import dev.comporta.proxy.watch.News;
import dev.comporta.proxy.watch.Reason;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.FirstByteSwitch.Beginning;
import dev.comporta.tds.tls.WrappedTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reads the login of a client: PRELOGIN, the TLS handshake, LOGIN7. Then it hands the client over, and stops reading until
 * the next handler starts it again. Confined to the loop that accepted the client.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of writes: a broken connection is reported by channelInactive
public final class ClientLogin extends ChannelInboundHandlerAdapter {
    private enum State {
        PRELOGIN,
        /** PRELOGIN was received; it is answered when the TLS handshake may begin. */
        AWAITING_TURN,
        LOGIN7,
        HANDED_OVER
    }

    /** The server version in PRELOGIN's answer, sent before the client has named its server: SQL Server 2022's. */
    private static final Prelogin.Version VERSION = new Prelogin.Version(16, 0, 1000, 0);

    /** TDS 7.0 has no collations, so its metadata and parameters differ. */
    static final TdsVersion OLDEST = TdsVersion.V7_1;

    private static final int LOGIN_FAILED = 18456;
    private static final int SEVERITY_LOGIN = 14;

    private static final Logger log = LoggerFactory.getLogger(ClientLogin.class);

    private final ClientTls tls;
    private final long timeoutNanos;
    private final BooleanSupplier grantsMars;
    private final LoginProgress progress;
    private final Consumer<ClientHello> next;
    private final MessageAssembler message;

    private State state = State.PRELOGIN;
    private @Nullable Beginning beginning;
    private @Nullable WrappedTls wrappedTls;
    private @Nullable Future<?> timeout;
    private boolean encrypted;
    private boolean mars;

    /**
     * @param maxBytes limit of each of its messages
     * @param grantsMars whether clients may use MARS. Asked before the client's bucket is known, so it must hold for all buckets
     */
    public ClientLogin(
            ClientTls tls,
            long timeoutNanos,
            int maxBytes,
            BooleanSupplier grantsMars,
            LoginProgress progress,
            Consumer<ClientHello> next) {
        this.tls = tls;
        this.timeoutNanos = timeoutNanos;
        message = new MessageAssembler(maxBytes);
        this.grantsMars = grantsMars;
        this.progress = progress;
        this.next = next;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        // Port scans and half-open connections must not keep their places.
        timeout =
                ctx.executor().schedule(() -> close(ctx, "login timeout expired"), timeoutNanos, TimeUnit.NANOSECONDS);
        ctx.fireChannelActive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Beginning how) {
            beginning = how;
            encrypted = how == Beginning.STRICT;
            if (how == Beginning.LOGIN7) {
                state = State.LOGIN7;
            }
        } else {
            if (event instanceof SslHandshakeCompletionEvent over) {
                tls.counts().shookHands(over.isSuccess());
                progress.progressed();
            }
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object packet) {
        if (!message.add((ByteBuf) packet)) {
            return;
        }
        ByteBuf body = message.take();
        try {
            switch (state) {
                case PRELOGIN -> whilePrelogin(ctx, body);
                case AWAITING_TURN -> throw new ProtocolException("a message before the answer to PRELOGIN");
                case LOGIN7 -> whileLogin7(ctx, body);
                case HANDED_OVER -> throw new ProtocolException("a request before the answer to LOGIN7");
            }
        } finally {
            body.release();
        }
    }

    private void whilePrelogin(ChannelHandlerContext ctx, ByteBuf body) {
        expect(PacketType.PRELOGIN);
        Prelogin asked = Prelogin.read(body);
        state = State.LOGIN7;
        progress.progressed();
        if (beginning == Beginning.STRICT) {
            answer(ctx, asked, Encryption.ON);
            return;
        }
        Encryption.Answer answer = Encryption.answer(asked, tls.policy());
        switch (answer.outcome()) {
            case PLAIN -> answer(ctx, asked, answer.reply());
            case REFUSED -> {
                answer(ctx, asked, answer.reply());
                close(
                        ctx,
                        "its PRELOGIN asks for encryption " + asked.encryption()
                                + ", which the tls mode of this listener does not allow");
            }
            case LOGIN_ONLY, FULL -> {
                state = State.AWAITING_TURN;
                progress.beforeHandshake(() -> beginTls(ctx, asked, answer));
            }
        }
    }

    private void beginTls(ChannelHandlerContext ctx, Prelogin asked, Encryption.Answer answer) {
        state = State.LOGIN7;
        answer(ctx, asked, answer.reply());
        encrypted = answer.outcome() == Encryption.Outcome.FULL;
        wrappedTls = WrappedTls.server(tls.wrapped(), ctx.channel(), answer.outcome());
        // After the handler that counts the bytes of a login.
        ctx.pipeline().addBefore(ctx.pipeline().context(PacketDecoder.class).name(), null, wrappedTls);
    }

    private void answer(ChannelHandlerContext ctx, Prelogin asked, Encryption encryption) {
        mars = asked.mars() && grantsMars.getAsBoolean();
        Prelogin.Builder answer = Prelogin.builder(VERSION)
                .encryption(encryption)
                .instance("")
                .threadId()
                .mars(mars);
        if (asked.has(Prelogin.TRACEID)) {
            answer.option(Prelogin.TRACEID);
        }
        if (asked.fedAuthRequired()) {
            // Whether the server requires it is not known yet; FedAuthEcho corrects the client's echo.
            answer.fedAuthRequired(false);
        }
        ByteBuf payload = ctx.alloc().buffer(64);
        answer.build().write(payload);
        try {
            MessageWriter writer = new MessageWriter(ctx.alloc(), (packets, end) -> ctx.write(packets));
            writer.begin(PacketType.TABULAR_RESULT).writeBytes(payload).end();
        } finally {
            payload.release();
        }
        ctx.flush();
    }

    private void whileLogin7(ChannelHandlerContext ctx, ByteBuf body) {
        expect(PacketType.LOGIN7);
        boolean plain = beginning != Beginning.STRICT && wrappedTls == null;
        if (plain && tls.policy() == Encryption.Policy.REQUIRED) {
            throw new ProtocolException("LOGIN7 in plain text where TLS is required");
        }
        Login7 login = Login7.read(body);
        state = State.HANDED_OVER;
        if (wrappedTls != null) {
            wrappedTls.endEncryption(ctx);
        }
        cancelTimeout();
        ctx.channel().config().setAutoRead(false);
        progress.ended(body.readableBytes());
        ClientHello hello = new ClientHello(ctx.channel(), login, encrypted, mars, progress);
        if (login.negotiatedVersion().isAtLeast(OLDEST)) {
            next.accept(hello);
        } else {
            refuse(hello);
        }
    }

    /** Refused here, not by the server: one that does not know the version may close without an answer. */
    private void refuse(ClientHello hello) {
        String version = hello.login().negotiatedVersion().number();
        hello.login().wipeSecrets();
        new LoginRefusal("", News.NONE, tls.counts().refusals())
                .error(
                        hello,
                        LOGIN_FAILED,
                        SEVERITY_LOGIN,
                        "Login failed: TDS %s is not supported: configure the driver for TDS %s or later."
                                .formatted(version, OLDEST.number()));
    }

    private void expect(int type) {
        if (message.type() != type) {
            throw new ProtocolException(
                    "%s instead of %s".formatted(PacketType.name(message.type()), PacketType.name(type)));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelTimeout();
        message.discard();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancelTimeout();
        message.discard();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (beginning == null && cause instanceof IOException) {
            ctx.close(); // a load balancer's health check, which may end each connection with a reset
            return;
        }
        // Invalid bytes or a broken network, not the proxy's fault: one line, no stack trace.
        close(ctx, Reason.of(cause));
    }

    private void close(ChannelHandlerContext ctx, String why) {
        if (ctx.channel().isOpen()) {
            String address = ClientAddress.textOf(ctx.channel());
            ClientLines.ofStranger(log, Level.INFO, address)
                    .addKeyValue(ClientLines.REASON, why)
                    .log("client {} was closed during its login: {}", address, why);
            ctx.close();
        }
    }

    private void cancelTimeout() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }
}
