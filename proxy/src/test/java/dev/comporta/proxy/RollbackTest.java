package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption;
import dev.comporta.tds.login.Prelogin;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.token.TokenWriter;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Not every server ends a transaction when its session is reset: Babelfish keeps @@TRANCOUNT. So it is told to first. */
@Timeout(60)
class RollbackTest {
    private static final TokenWriter TOKENS = new TokenWriter(TdsVersion.V7_4);

    /** COLMETADATA of one INTN without a name, and a ROW with 0. */
    private static final String NONE_OPEN = "810100000000000900260400d10400000000";

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void whatAVanishedClientLeftIsRolledBackBeforeItsSessionIsReset() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Proxy proxy = ProxyFixture.startProxy(
                        new ServerDial("127.0.0.1", server.getLocalPort(), ServerDial.Mode.OFF, null),
                        PoolMode.TRANSACTION,
                        TransactionTracking.ENVCHANGE,
                        settings -> settings.maxConnections(1).minIdle(0))) {
            Thread.ofVirtual().start(() -> serve(server));
            try (RawClient client = RawClient.loggedIn(proxy.port())) {
                client.sendBatch("BEGIN TRANSACTION");
                client.response();
            }
            await().until(() -> proxy.glance("one").pool().idle() == 1);
            assertThat(heard).hasSize(3);
            assertThat(heard.get(0)).endsWith("BEGIN TRANSACTION");
            assertThat(heard.get(1)).contains("ROLLBACK").doesNotStartWith("reset");
            assertThat(heard.get(2)).startsWith("reset");
        }
    }

    /** Lets one session in, begins a transaction when asked to, and acknowledges everything else. */
    private void serve(ServerSocket server) {
        try (Socket socket = server.accept()) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                byte[] header = in.readNBytes(PacketHeader.LENGTH);
                if (header.length < PacketHeader.LENGTH) {
                    return;
                }
                ByteBuf head = Unpooled.wrappedBuffer(header);
                ByteBuf body = Unpooled.wrappedBuffer(in.readNBytes(PacketHeader.length(head) - PacketHeader.LENGTH));
                answer(socket.getOutputStream(), head, body);
            }
        } catch (IOException _) {
            // the proxy is gone
        }
    }

    private void answer(OutputStream out, ByteBuf head, ByteBuf body) throws IOException {
        ByteBuf tokens = Unpooled.buffer();
        switch (PacketHeader.type(head)) {
            case PacketType.PRELOGIN ->
                Prelogin.builder(new Prelogin.Version(16, 0, 1000, 0))
                        .encryption(Encryption.NOT_SUPPORTED)
                        .build()
                        .write(tokens);
            case PacketType.LOGIN7 -> TOKENS.loginAck(tokens, "Microsoft SQL Server", 16, 0, 1000);
            default -> {
                body.skipBytes(body.getIntLE(0));
                String sql = body.toString(StandardCharsets.UTF_16LE);
                boolean reset = (PacketHeader.status(head) & PacketHeader.STATUS_RESETCONNECTION) != 0;
                heard.add((reset ? "reset " : "") + sql);
                if (reset) {
                    TOKENS.resetAcknowledged(tokens);
                }
                if (sql.startsWith("BEGIN")) {
                    TOKENS.transactionBegan(tokens, 1);
                }
                if (sql.endsWith("SELECT @@TRANCOUNT")) {
                    tokens.writeBytes(ByteBufUtil.decodeHexDump(NONE_OPEN));
                }
            }
        }
        if (PacketHeader.type(head) != PacketType.PRELOGIN) {
            TOKENS.done(tokens, DoneStatus.FINAL, 0, 0);
        }
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(PacketType.TABULAR_RESULT).writeByte(PacketHeader.STATUS_EOM);
        packet.writeShort(PacketHeader.LENGTH + tokens.readableBytes())
                .writeInt(0)
                .writeBytes(tokens);
        out.write(ByteBufUtil.getBytes(packet));
    }
}
