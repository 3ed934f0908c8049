package dev.comporta.e2e.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.comporta.e2e.ServerCertificate;
import dev.comporta.e2e.Target;
import dev.comporta.e2e.TestServer;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.LeakWatch;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whoever sends what is not TDS is shown the door, with one line in the log, and nobody else notices. All the while a
 * client is in the middle of a transaction. Nothing else runs beside it, for it counts what this JVM logs and has in memory.
 */
@Isolated
@Timeout(60)
class BadInputTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final HexFormat HEX = HexFormat.of();

    private static LogLines log;
    private static TestServer server;
    private static Connection bystander;

    /** What a stranger sends, from connecting until the server has closed. */
    interface Stranger {
        void visit(RawClient client, Target target) throws IOException;
    }

    record Visit(String name, Stranger stranger) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Visit> visits() {
        return Stream.of(
                new Visit("a port scan", (client, target) -> client.endOutput()),
                new Visit("an HTTP request", (client, target) -> {
                    client.raw("GET / HTTP/1.1\r\nHost: db\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                }),
                new Visit("random bytes", (client, target) -> {
                    byte[] noise = new byte[4096];
                    new Random(20240229).nextBytes(noise);
                    client.raw(noise);
                }),
                new Visit("a packet shorter than its header", (client, target) -> {
                    client.raw(packet(PacketType.PRELOGIN, 3, new byte[0]));
                }),
                new Visit("a packet that ends before its length", (client, target) -> {
                    client.raw(packet(PacketType.PRELOGIN, 4000, new byte[20]));
                    client.endOutput();
                }),
                new Visit("a PRELOGIN whose options point outside it", (client, target) -> {
                    client.raw(packet(PacketType.PRELOGIN, HEX.parseHex("00fff00006" + "ff")));
                }),
                new Visit("a PRELOGIN without an end", (client, target) -> {
                    client.raw(packet(PacketType.PRELOGIN, HEX.parseHex("00000b0006")));
                }),
                new Visit("a batch before any login", (client, target) -> {
                    greeted(client).raw(batch("SELECT 1"));
                }),
                new Visit("a LOGIN7 cut short", (client, target) -> {
                    byte[] login = login7(target);
                    greeted(client).raw(Arrays.copyOf(packet(PacketType.LOGIN7, login), 60));
                    client.endOutput();
                }),
                new Visit("a LOGIN7 that ends within its fixed part", (client, target) -> {
                    byte[] login = login7(target);
                    greeted(client).raw(packet(PacketType.LOGIN7, Arrays.copyOf(login, 40)));
                }),
                new Visit("a LOGIN7 that claims 4 GB", (client, target) -> {
                    greeted(client).raw(packet(PacketType.LOGIN7, lyingLogin(target, 0, 0xFFFFFFFF)));
                }),
                new Visit("a LOGIN7 whose user name is elsewhere", (client, target) -> {
                    // Offset 0xF000 and length 0x7FFF, in the second of the offset and length pairs.
                    greeted(client).raw(packet(PacketType.LOGIN7, lyingLogin(target, 40, 0x00F0FF7F)));
                }),
                new Visit("a batch whose headers claim 4 GB", (client, target) -> {
                    byte[] lie = batch("SELECT 1");
                    ByteBuffer.wrap(lie).putInt(8, 0xFFFFFFFF);
                    login(client, target).raw(lie);
                }),
                new Visit("a procedure's parameter that claims 64 KB", (client, target) -> {
                    login(client, target).raw(rpc("e7" + "401f" + "0904d00034" + "feff"));
                }),
                new Visit("a procedure's parameter that claims 4 GB", (client, target) -> {
                    login(client, target)
                            .raw(rpc("e7" + "ffff" + "0904d00034" + "ffffffff00000000" + "ffffffff" + "4100"));
                }),
                new Visit("a procedure's parameter of no known type", (client, target) -> {
                    login(client, target).raw(rpc("02" + "0000"));
                }),
                new Visit("a message of no known type", (client, target) -> {
                    login(client, target).raw(packet(0x55, new byte[4]));
                }));
    }

    @BeforeAll
    static void startServerWithABystander() throws Exception {
        server = TestServer.standin();
        log = new LogLines("dev.comporta");
        Target target = server.target();
        bystander = DriverManager.getConnection(
                "jdbc:sqlserver://" + target.host() + ":" + target.port() + ";encrypt=false;databaseName="
                        + target.database(),
                target.user(),
                target.password());
        run("CREATE TABLE bystander (id int)");
        bystander.setAutoCommit(false);
        run("INSERT INTO bystander VALUES (1)");
    }

    @AfterAll
    static void stop() throws Exception {
        bystander.rollback();
        bystander.close();
        log.close();
        server.close();
    }

    @ParameterizedTest(name = "{0} is closed, with one line in the log")
    @MethodSource("visits")
    void strangerIsClosed(Visit visit) throws Exception {
        int before = log.events().size();
        visit(visit);
        await().atMost(PATIENCE).until(() -> log.events().size() > before);
        bystanderIsUndisturbed();
        assertThat(linesSince(before)).hasSize(1);
        assertThat(log.events().get(before).getThrowableProxy())
                .as("a stack trace helps nobody here")
                .isNull();
    }

    @Test
    void tlsHelloWithoutTdsIsClosed() throws Exception {
        int before = log.events().size();
        try (Socket plain = new Socket(server.target().host(), server.target().port());
                SSLSocket socket = (SSLSocket) ServerCertificate.trustingAnyone()
                        .getSocketFactory()
                        .createSocket(
                                plain, server.target().host(), server.target().port(), true)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.startHandshake();
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        } catch (SocketTimeoutException open) {
            throw new AssertionError("the server did not close the connection", open);
        } catch (IOException closed) {
            // The server may as well refuse the handshake, or close with what was sent still unread.
        }
        await().atMost(PATIENCE).until(() -> log.events().size() > before);
        bystanderIsUndisturbed();
        assertThat(linesSince(before)).hasSize(1);
    }

    @Test
    void memoryIsFlatHoweverManyCome() throws Exception {
        everyoneVisits(2);
        long direct = directMemory();
        long heap = heapAfterCollection();
        // Memory is taken in chunks, so a buffer kept for each visitor may not show there.
        try (LeakWatch leaks = new LeakWatch()) {
            everyoneVisits(30);
            await().atMost(PATIENCE).until(() -> server.sessions() == 1);
            leaks.assertNone();
        }
        assertThat(directMemory()).isLessThanOrEqualTo(direct + (4 << 20));
        assertThat(heapAfterCollection()).isLessThan(heap + (16 << 20));
        bystanderIsUndisturbed();
    }

    /** Returns when the last of them was told of in the log: a line that came later would be taken for somebody else's. */
    private static void everyoneVisits(int times) throws IOException {
        int before = log.events().size();
        List<Visit> visits = visits().toList();
        for (int time = 0; time < times; time++) {
            for (Visit visit : visits) {
                visit(visit);
            }
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(log.events()).hasSize(before + times * visits.size()));
    }

    private static void visit(Visit visit) throws IOException {
        Target target = server.target();
        try (RawClient client = new RawClient(target.port())) {
            visit.stranger().visit(client, target);
            assertThat(client.isHungUpOn()).isTrue();
        }
    }

    private static RawClient login(RawClient client, Target target) throws IOException {
        greeted(client).raw(packet(PacketType.LOGIN7, login7(target)));
        client.response();
        return client;
    }

    private static RawClient greeted(RawClient client) throws IOException {
        client.prelogin(false);
        return client;
    }

    private static byte[] login7(Target target) {
        return ByteBufUtil.getBytes(RawClient.login(login -> login.userName(target.user())
                .password(Secret.ofText(target.password()))
                .database(target.database())));
    }

    private static byte[] packet(int type, byte[] body) {
        return packet(type, PacketHeader.LENGTH + body.length, body);
    }

    private static byte[] packet(int type, int claimedLength, byte[] body) {
        return RawClient.packet(type, PacketHeader.STATUS_EOM, claimedLength, Unpooled.wrappedBuffer(body));
    }

    private static byte[] lyingLogin(Target target, int at, int lie) {
        byte[] login = login7(target);
        ByteBuffer.wrap(login).putInt(at, lie);
        return login;
    }

    private static byte[] batch(String sql) {
        byte[] text = sql.getBytes(StandardCharsets.UTF_16LE);
        return packet(
                PacketType.SQL_BATCH,
                ByteBuffer.allocate(22 + text.length)
                        .put(allHeaders())
                        .put(text)
                        .array());
    }

    /** sp_executesql with one parameter, of which this is the type and value. */
    private static byte[] rpc(String parameter) {
        byte[] rest = HEX.parseHex("ffff0a00" + "0000" + "0000" + parameter);
        return packet(
                PacketType.RPC,
                ByteBuffer.allocate(22 + rest.length)
                        .put(allHeaders())
                        .put(rest)
                        .array());
    }

    private static byte[] allHeaders() {
        return HEX.parseHex("16000000" + "12000000" + "0200" + "0000000000000000" + "01000000");
    }

    private static void bystanderIsUndisturbed() throws SQLException {
        try (Statement statement = bystander.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*), @@TRANCOUNT FROM bystander")) {
            rows.next();
            assertThat(rows.getInt(1)).isEqualTo(1);
            assertThat(rows.getInt(2)).isEqualTo(1);
        }
    }

    private static void run(String sql) throws SQLException {
        try (Statement statement = bystander.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> linesSince(int before) {
        return log.events().stream().skip(before).map(ILoggingEvent::toString).toList();
    }

    private static long directMemory() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }

    private static long heapAfterCollection() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
