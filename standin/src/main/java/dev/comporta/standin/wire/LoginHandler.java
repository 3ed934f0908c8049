package dev.comporta.standin.wire;

import dev.comporta.standin.engine.EngineSession;
import dev.comporta.standin.engine.Message;
import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.packet.MessageAssembler;
import dev.comporta.tds.packet.PacketDecoder;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.tls.WrappedTls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Awaits LOGIN7 and has it authenticated; then {@link SessionHandler} replaces this handler. */
final class LoginHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(LoginHandler.class);

    private enum State {
        WAITING,
        JUDGING,
        /** The server has sent a challenge. */
        ASKED,
        DECIDED
    }

    /** A TLS record holds 16 KB, and SQL Server requires a packet to fit into one. */
    private static final int MAX_ENCRYPTED_PACKET = 16383;

    private final WireServer server;
    private final boolean staysEncrypted;
    private final MessageAssembler assembler = new MessageAssembler(Login7.MAX_LENGTH);
    private State state = State.WAITING;
    private Doorman.@Nullable Negotiation negotiation;
    private @Nullable Login7 begun;

    LoginHandler(WireServer server, boolean staysEncrypted) {
        this.server = server;
        this.staysEncrypted = staysEncrypted;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf packet = (ByteBuf) msg;
        int type = PacketHeader.type(packet);
        // A client sends an attention here when its login timeout has expired; it closes the connection next.
        if (type == PacketType.ATTENTION || !ctx.channel().isActive()) {
            packet.release();
            return;
        }
        if (type != expected()) {
            packet.release();
            throw new ProtocolException(PacketType.name(type) + " packet "
                    + (expected() < 0
                            ? "before the login was answered"
                            : "where " + PacketType.name(expected()) + " is expected"));
        }
        if (!assembler.add(packet)) {
            return;
        }
        if (state == State.ASKED) {
            answered(ctx);
        } else {
            WrappedTls tls = ctx.pipeline().get(WrappedTls.class);
            if (tls != null) {
                tls.endEncryption(ctx);
            }
            ByteBuf body = assembler.take();
            try {
                judge(ctx, Login7.read(body));
            } finally {
                body.release();
            }
        }
    }

    /** The type of the next message; -1 if it is the server's turn. */
    private int expected() {
        return switch (state) {
            case WAITING -> PacketType.LOGIN7;
            case ASKED -> Objects.requireNonNull(negotiation).answerType();
            case JUDGING, DECIDED -> -1;
        };
    }

    private TdsVersion version(Login7 login) {
        return server.settings().answerTo(login.negotiatedVersion());
    }

    private void judge(ChannelHandlerContext ctx, Login7 login) {
        try {
            negotiation = server.negotiate(login);
        } catch (Doorman.Refused e) {
            refuse(ctx, version(login), e.messages());
            return;
        }
        if (negotiation != null) {
            begun = login;
            state = State.ASKED;
            new LoginResponseWriter(ctx, version(login), server.settings()).ask(negotiation);
        } else {
            judge(ctx, login, () -> server.admit(login));
        }
    }

    private void answered(ChannelHandlerContext ctx) {
        ByteBuf body = assembler.take();
        byte[] answer = ByteBufUtil.getBytes(body);
        body.release();
        Login7 login = Objects.requireNonNull(begun);
        Doorman.Negotiation asked = Objects.requireNonNull(negotiation);
        judge(ctx, login, () -> server.admit(login, spid -> asked.admit(answer, spid)));
    }

    private interface Admission {
        EngineSession admit() throws Doorman.Refused;
    }

    private void judge(ChannelHandlerContext ctx, Login7 login, Admission admission) {
        TdsVersion version = version(login);
        state = State.JUDGING;
        Thread.ofVirtual().name("standin-login").start(() -> {
            try {
                EngineSession session = admission.admit();
                ctx.executor().execute(() -> welcome(ctx, login, version, session));
            } catch (Doorman.Refused e) {
                ctx.executor().execute(() -> refuse(ctx, version, e.messages()));
            } catch (RuntimeException e) {
                LOG.error("the stand-in failed at the login of {}", login.userName(), e);
                ctx.executor().execute(() -> server.close(ctx.channel()));
            } finally {
                login.wipeSecrets();
            }
        });
    }

    private void welcome(ChannelHandlerContext ctx, Login7 login, TdsVersion version, EngineSession engine) {
        state = State.DECIDED;
        int packetSize = packetSize(login.packetSize());
        WireSession session = new WireSession(
                engine, version, server.settings().columnEncryption(login), packetSize, clientPort(ctx.channel()));
        server.sessionBegan(ctx.channel(), session);
        if (!ctx.channel().isActive()) {
            server.sessionEnded(session, ctx.channel());
            return;
        }
        new LoginResponseWriter(ctx, version, server.settings()).accept(login, session);
        ctx.pipeline().get(PacketDecoder.class).maxLength(packetSize);
        ctx.pipeline().addBefore(ctx.name(), "sabotage", new Sabotage(server));
        ctx.pipeline().replace(this, "session", new SessionHandler(ctx.channel(), session, server));
    }

    /** 0 if the client disconnected before this call. */
    private static int clientPort(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
    }

    private int packetSize(int asked) {
        int most = staysEncrypted ? MAX_ENCRYPTED_PACKET : PacketHeader.MAX_PACKET_SIZE;
        return asked == 0 ? PacketHeader.DEFAULT_PACKET_SIZE : Math.clamp(asked, PacketHeader.MIN_PACKET_SIZE, most);
    }

    private void refuse(ChannelHandlerContext ctx, TdsVersion version, List<Message> messages) {
        state = State.DECIDED;
        LOG.info("{}: {}", ctx.channel().remoteAddress(), messages.getLast().text());
        new LoginResponseWriter(ctx, version, server.settings()).refuse(messages);
        ctx.writeAndFlush(ctx.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
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
