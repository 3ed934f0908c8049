package dev.comporta.standin.wire;

import dev.comporta.standin.engine.Message;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.tds.type.Collation;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the response to LOGIN7, its tokens in SQL Server's order. */
final class LoginResponseWriter {
    /** Drivers recognize the server by this name; @@VERSION names the stand-in. */
    private static final String PROGRAM = "Microsoft SQL Server";

    private static final byte[] UTF8_SUPPORTED = {1};
    private static final int CHANGED_DATABASE = 5701;
    private static final int CHANGED_LANGUAGE = 5703;

    private final ChannelHandlerContext ctx;
    private final TokenWriter tokens;
    private final WireSettings settings;

    LoginResponseWriter(ChannelHandlerContext ctx, TdsVersion version, WireSettings settings) {
        this.ctx = ctx;
        tokens = new TokenWriter(version);
        this.settings = settings;
    }

    void accept(Login7 login, WireSession session) {
        ByteBuf out = ctx.alloc().buffer();
        String database = session.engine.database();
        String language = session.engine.language();
        tokens.envChange(out, EnvChange.DATABASE, database, "master");
        boolean babelfish = settings.habits().isBabelfish();
        info(
                out,
                babelfish ? 0 : CHANGED_DATABASE,
                babelfish ? 1 : 2,
                "Changed database context to '" + database + "'.");
        if (session.version.hasCollations()) {
            tokens.collationChanged(out, Collation.DEFAULT, null);
        }
        if (!babelfish) {
            tokens.envChange(out, EnvChange.LANGUAGE, language, "");
            info(out, CHANGED_LANGUAGE, 1, "Changed language setting to " + language + ".");
        }
        Prelogin.Version version = settings.version();
        tokens.loginAck(out, PROGRAM, version.major(), version.minor(), version.build());
        tokens.envChange(
                out,
                EnvChange.PACKET_SIZE,
                Integer.toString(session.packetSize),
                Integer.toString(PacketHeader.DEFAULT_PACKET_SIZE));
        Map<Integer, byte[]> features = new LinkedHashMap<>();
        if (login.feature(FeatureExtension.FEDAUTH) != null) {
            features.put(FeatureExtension.FEDAUTH, new byte[0]);
        }
        if (session.columnEncryption > 0) {
            features.put(FeatureExtension.COLUMNENCRYPTION, encryption(session.columnEncryption));
        }
        if (login.feature(FeatureExtension.UTF8_SUPPORT) != null) {
            features.put(FeatureExtension.UTF8_SUPPORT, UTF8_SUPPORTED);
        }
        if (!features.isEmpty()) {
            tokens.featureExtAck(out, features);
        }
        tokens.done(out, DoneStatus.FINAL, 0, 0);
        send(out, session.engine.spid());
    }

    /** From the version with enclaves on, the type of the enclave follows. */
    private static byte[] encryption(int version) {
        return version < WireSession.WITH_ENCLAVES
                ? new byte[] {(byte) version}
                : new byte[] {(byte) version, 3, 'V', 0, 'B', 0, 'S', 0};
    }

    /** Sends a challenge, which the client must answer before the response. */
    void ask(Doorman.Negotiation negotiation) {
        ByteBuf out = ctx.alloc().buffer();
        negotiation.ask(tokens, out);
        send(out, 0);
    }

    void refuse(List<Message> messages) {
        ByteBuf out = ctx.alloc().buffer();
        for (Message m : messages) {
            tokens.error(
                    out, m.number(), m.state(), m.severity(), m.text(), settings.serverName(), m.procedure(), m.line());
        }
        tokens.done(out, DoneStatus.ERROR, 0, 0);
        send(out, 0);
    }

    private void info(ByteBuf out, int number, int state, String text) {
        tokens.info(out, number, state, 0, text, settings.serverName(), "", 1);
    }

    private void send(ByteBuf tokenBytes, int spid) {
        MessageWriter writer = new MessageWriter(ctx.alloc(), new HandlerSink(ctx));
        writer.spid(spid);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(tokenBytes).end();
        tokenBytes.release();
    }
}
