package dev.comporta.testkit;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.EnvChange;
import dev.comporta.tds.token.TokenWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/** The answers of a server without a database up to the first request: it encrypts nothing and accepts every login. */
public final class CannedAnswers {
    public static final TokenWriter TOKENS = new TokenWriter(TdsVersion.V7_4);

    private static final Prelogin.Version VERSION = new Prelogin.Version(16, 0, 1000, 0);

    private CannedAnswers() {}

    /** The message that answers PRELOGIN, with its packet header. */
    public static ByteBuf prelogin() {
        ByteBuf body = Unpooled.buffer();
        Prelogin.builder(VERSION)
                .encryption(Encryption.NOT_SUPPORTED)
                .instance("")
                .threadId()
                .mars(false)
                .build()
                .write(body);
        return message(body);
    }

    /** The message that answers LOGIN7, with its packet header. */
    public static ByteBuf login(String database, int packetSize) {
        ByteBuf body = Unpooled.buffer();
        TOKENS.envChange(body, EnvChange.DATABASE, database, "master");
        TOKENS.envChange(body, EnvChange.PACKET_SIZE, Integer.toString(packetSize), "4096");
        TOKENS.loginAck(body, "Microsoft SQL Server", 16, 0, 1000);
        TOKENS.done(body, DoneStatus.FINAL, 0, 0);
        return message(body);
    }

    /** A response with its packet header, in one packet. */
    public static ByteBuf message(ByteBuf body) {
        ByteBuf[] message = new ByteBuf[1];
        MessageWriter writer =
                new MessageWriter(UnpooledByteBufAllocator.DEFAULT, (packets, _) -> message[0] = packets);
        writer.begin(PacketType.TABULAR_RESULT).writeBytes(body).end();
        return message[0];
    }
}
