package dev.comporta.standin.wire;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Encryption.Outcome;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.FirstByteSwitch.Beginning;
import dev.comporta.tds.tls.WrappedTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Objects;

/** A new client: answers its PRELOGIN, adds TLS; then {@link LoginHandler} replaces this handler. */
final class PreloginHandler extends ChannelInboundHandlerAdapter {
    /** The PRELOGIN of real clients has some dozen bytes. */
    private static final int MAX_BYTES = 4096;

    private final WireServer server;
    private final MessageAssembler assembler = new MessageAssembler(MAX_BYTES);
    private Beginning beginning = Beginning.PRELOGIN;

    PreloginHandler(WireServer server) {
        this.server = server;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Beginning began) {
            beginning = began;
            if (began != Beginning.STRICT && server.settings().strictOnly()) {
                throw new ProtocolException("plain connection to a server that demands strict encryption");
            }
            if (began == Beginning.LOGIN7) {
                loginWithoutPrelogin(ctx);
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    /** Drivers configured without encryption may skip PRELOGIN. */
    private void loginWithoutPrelogin(ChannelHandlerContext ctx) {
        if (server.settings().encryption() == Encryption.Policy.REQUIRED) {
            throw new ProtocolException("LOGIN7 without encryption, which is required");
        }
        ctx.pipeline().replace(this, "login", new LoginHandler(server, false));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf packet = (ByteBuf) msg;
        int type = PacketHeader.type(packet);
        if (!ctx.channel().isActive()) {
            packet.release(); // the connection was closed because of an earlier packet
            return;
        }
        if (type != PacketType.PRELOGIN) {
            packet.release();
            throw new ProtocolException(PacketType.name(type) + " packet where PRELOGIN is expected");
        }
        if (assembler.add(packet)) {
            ByteBuf body = assembler.take();
            try {
                answer(ctx, Prelogin.read(body));
            } finally {
                body.release();
            }
        }
    }

    private void answer(ChannelHandlerContext ctx, Prelogin asked) {
        // In a strict connection the encryption option has no meaning: everything is encrypted already.
        Encryption.Answer answer = beginning == Beginning.STRICT
                ? new Encryption.Answer(Encryption.NOT_SUPPORTED, Outcome.PLAIN)
                : Encryption.answer(asked, server.settings().encryption());
        Prelogin.Builder reply = Prelogin.builder(server.settings().version())
                .encryption(answer.reply())
                .instance("")
                .threadId()
                .mars(false);
        if (asked.has(Prelogin.FEDAUTHREQUIRED)) {
            reply.fedAuthRequired(server.settings().fedAuth());
        }
        ByteBuf body = ctx.alloc().buffer();
        reply.build().write(body);
        new MessageWriter(ctx.alloc(), new HandlerSink(ctx))
                .begin(PacketType.TABULAR_RESULT)
                .writeBytes(body)
                .end();
        body.release();
        proceed(ctx, answer.outcome());
    }

    private void proceed(ChannelHandlerContext ctx, Outcome outcome) {
        switch (outcome) {
            case REFUSED -> {
                ctx.writeAndFlush(ctx.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
                throw new ProtocolException("the client and the server can't agree on encryption");
            }
            case PLAIN ->
                ctx.pipeline().replace(this, "login", new LoginHandler(server, beginning == Beginning.STRICT));
            case LOGIN_ONLY, FULL -> {
                ctx.pipeline()
                        .addFirst(WrappedTls.server(
                                Objects.requireNonNull(server.settings().tls()).wrapped(), ctx.channel(), outcome));
                ctx.pipeline().replace(this, "login", new LoginHandler(server, outcome == Outcome.FULL));
            }
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        assembler.discard();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        assembler.discard();
        ctx.fireChannelInactive();
    }
}
