package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.LoginResponse;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.login.Login7Builder;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.SqlBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code proxy.limits} says is what a client may cost. */
@Timeout(60)
class SocketLimitsTest {
    private static final String BUCKET = "max_connections: 2, trust_server_certificate: true";

    @TempDir
    private Path directory;

    @Test
    void oneClientTooManyIsToldAndGetsInWhenAnotherLeaves() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "limits: {max_clients: 2}", BUCKET);
                Connection first = running.connect()) {
            Connection second = running.connect();
            assertThatThrownBy(running::connect)
                    .asInstanceOf(InstanceOfAssertFactories.throwable(SQLException.class))
                    .hasMessageContaining("as many clients as proxy.limits.max_clients allows")
                    .extracting(SQLException::getErrorCode)
                    .isEqualTo(50001);
            assertThat(ask(first, "SELECT 1")).isEqualTo("1");

            second.close();
            await().until(() -> isLetIn(running));
        }
    }

    private static boolean isLetIn(RunningProxy running) throws SQLException {
        try (Connection another = running.connect()) {
            return !another.isClosed();
        } catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(50001);
            return false;
        }
    }

    /** 0 leaves it to the server, which takes 4,096. */
    @ParameterizedTest
    @CsvSource({"8000, 2048", "512, 512", "0, 2048"})
    void packetsAreNoLargerThanAgreedTo(int wanted, int agreed) throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "limits: {packet_size: 2KB}", BUCKET);
                Socket client = socket(running)) {
            login(client, wanted, new byte[0]);
            ByteBuf answer = answer(client);
            assertThat(LoginResponse.read(answer, TdsVersion.V7_4).packetSize()).isEqualTo(agreed);
            sendBatch(client, "SELECT REPLICATE(CAST('x' AS VARCHAR(MAX)), 20000)");
            List<Integer> lengths = packetLengths(client);
            assertThat(lengths).hasSizeGreaterThan(20_000 / agreed).allMatch(length -> length <= agreed);
            assertThat(lengths.getFirst()).as("as large as may be").isEqualTo(agreed);
        }
    }

    private static void sendBatch(Socket client, String sql) throws IOException {
        ByteBuf packet = Unpooled.buffer();
        ByteBuf body = Unpooled.buffer();
        new SqlBatch(AllHeaders.AUTOCOMMIT, sql).write(body, RequestFormat.of(TdsVersion.V7_4));
        packet.writeByte(PacketType.SQL_BATCH).writeByte(PacketHeader.STATUS_EOM);
        packet.writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body);
        packet.readBytes(client.getOutputStream(), packet.readableBytes());
    }

    /** Of all packets of the next answer. */
    private static List<Integer> packetLengths(Socket client) throws IOException {
        List<Integer> lengths = new ArrayList<>();
        boolean last = false;
        while (!last) {
            ByteBuf header = Unpooled.wrappedBuffer(client.getInputStream().readNBytes(PacketHeader.LENGTH));
            lengths.add(PacketHeader.length(header));
            last = PacketHeader.isEndOfMessage(header);
            client.getInputStream().readNBytes(PacketHeader.length(header) - PacketHeader.LENGTH);
        }
        return lengths;
    }

    @Test
    void aLoginThatIsTooLargeEndsTheConnection() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "limits: {login_size: 4KB}", BUCKET);
                Socket modest = socket(running);
                Socket greedy = socket(running)) {
            login(modest, 8000, new byte[3000]);
            assertThat(LoginResponse.read(answer(modest), TdsVersion.V7_4).isAcknowledged())
                    .isTrue();
            login(greedy, 8000, new byte[5000]);
            assertThat(isHungUpOn(greedy)).isTrue();
        }
    }

    /** Whether what was sent is read before depends on how the sockets are served: it ends in order, or by a reset. */
    private static boolean isHungUpOn(Socket client) throws IOException {
        try {
            return client.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static Socket socket(RunningProxy running) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), running.proxy.port());
    }

    private static void login(Socket client, int packetSize, byte[] feature) throws IOException {
        ByteBuf body = Unpooled.buffer();
        new Login7Builder()
                .tdsVersion(TdsVersion.V7_4.wireValue())
                .packetSize(packetSize)
                .userName("sa")
                .password(Secret.ofText(PASSWORD))
                .database("AppDB")
                .features(feature.length == 0 ? List.of() : List.of(new FeatureExtension(0x7E, feature)))
                .build()
                .write(body);
        ByteBuf packet = Unpooled.buffer();
        packet.writeByte(PacketType.LOGIN7).writeByte(PacketHeader.STATUS_EOM);
        packet.writeShort(PacketHeader.LENGTH + body.readableBytes())
                .writeInt(0)
                .writeBytes(body);
        packet.readBytes(client.getOutputStream(), packet.readableBytes());
    }

    /** A login's answer is one packet. */
    private static ByteBuf answer(Socket client) throws IOException {
        byte[] header = client.getInputStream().readNBytes(PacketHeader.LENGTH);
        int length = Unpooled.wrappedBuffer(header).getUnsignedShort(2);
        return Unpooled.wrappedBuffer(client.getInputStream().readNBytes(length - PacketHeader.LENGTH));
    }
}
