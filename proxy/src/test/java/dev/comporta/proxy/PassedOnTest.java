package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.Standin;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests and responses that the proxy can't follow: each reaches the other side byte by byte, its client goes on with the
 * same server connection, and nobody else gets that connection.
 */
@Timeout(60)
class PassedOnTest {
    private static final String HEADERS = "16000000 12000000 0200 0000000000000000 01000000 ";
    /** An ERROR, as short as one can be, and a DONE. */
    private static final String REFUSED = "aa 0e00 491f0000 01 10 0000 00 00 01000000 fd 0200 0000 0000000000000000";

    private Standin server;
    private OddServer odd;
    private Proxy proxy;

    @BeforeEach
    void start() throws Exception {
        server = Standin.builder()
                .database("AppDB")
                .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                .start();
        odd = new OddServer(server.port());
        proxy = ProxyFixture.startProxy(
                new ServerDial("127.0.0.1", odd.port(), ServerDial.Mode.OFF, null),
                BucketSpec.PoolMode.TRANSACTION,
                BucketSpec.TransactionTracking.AUTO,
                settings -> settings.maxConnections(1).minIdle(0));
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        odd.close();
        server.close();
    }

    private static byte[] bytes(String hex) {
        return ByteBufUtil.decodeHexDump(hex.replace(" ", ""));
    }

    @ParameterizedTest
    @CsvSource({
        // A parameter of type 0x99, which SQL Server refuses with 8009.
        PacketType.RPC + ", 0100 7000 0000 00 00 99 01 02",
        // A request that no version of the protocol has.
        PacketType.TRANSACTION_MANAGER + ", 6300 00 00",
    })
    void aRequestThatOnlyTheServerUnderstandsIsTheServersToAnswer(int type, String request) throws Exception {
        byte[] sent = bytes(HEADERS + request);
        byte[] answer = bytes(REFUSED);
        try (RawClient client = ready()) {
            odd.answerNext(answer);
            client.packet(type, PacketHeader.STATUS_EOM, Unpooled.wrappedBuffer(sent));
            assertThat(ByteBufUtil.getBytes(client.response())).isEqualTo(answer);
            assertThat(odd.heard.poll(10, TimeUnit.SECONDS)).isEqualTo(sent);
            assertGoesOnAlone(client);
        }
    }

    /** A server that ended the message there would take the rest for another, and answer twice: the second time whoever is next. */
    @Test
    void aRequestThatIsGivenUpInItsMiddleIsNotPassedOn() throws Exception {
        byte[] head = bytes(HEADERS);
        try (RawClient client = ready();
                RawClient other = ready()) {
            client.packet(PacketType.SQL_BATCH, PacketHeader.STATUS_IGNORE, Unpooled.wrappedBuffer(head));
            client.packet(PacketType.SQL_BATCH, PacketHeader.STATUS_EOM, Unpooled.wrappedBuffer(head));
            assertThat(client.isHungUpOn()).isTrue();
            assertThat(other.answerTo("SELECT 5")).contains("ROW [5]");
            assertThat(odd.passed).noneMatch(packet -> Arrays.equals(packet, head));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // A token that is none, and what may be in it.
        "77 0400 01020304 fd 0000 0000 0000000000000000",
        // A row without columns before it.
        "d1 07000000 fd 0000 0000 0000000000000000",
        // A message that ends within an error.
        "aa 0e00 491f",
    })
    void aResponseThatOnlyTheClientUnderstandsIsTheClientsToRead(String response) throws Exception {
        byte[] answer = bytes(response);
        try (RawClient client = ready();
                LogLines log = new LogLines("dev.comporta.proxy")) {
            odd.answerNext(answer);
            client.sendBatch("SELECT 1");
            assertThat(ByteBufUtil.getBytes(client.response())).isEqualTo(answer);
            assertGoesOnAlone(client);
            assertThat(log.from(Level.WARN)).as("warnings of one lost response").hasSize(1);
        }
    }

    /** A client whose next request is the first message to its server that the proxy does not send by itself. */
    private RawClient ready() throws Exception {
        RawClient client = RawClient.loggedIn(proxy.port());
        client.sendBatch("SELECT 1");
        assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        return client;
    }

    private void assertGoesOnAlone(RawClient client) throws Exception {
        client.sendBatch("SELECT 1");
        assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        assertThat(proxy.glance("one").pool().pins().get(PinReason.NOT_UNDERSTOOD))
                .isEqualTo(1);
        long before = server.counters().connections();
        client.close();
        await().until(() -> server.counters().sessionsOpen() == 0);
        ready().close();
        assertThat(server.counters().connections()).isEqualTo(before + 1);
    }

    @Test
    void aResetThatIsCalledAsAProcedurePinsNobody() throws Exception {
        try (RawClient client = ready()) {
            odd.answerNext(bytes("fe 0000 0000 0000000000000000"));
            client.packet(
                    PacketType.RPC,
                    PacketHeader.STATUS_EOM,
                    Unpooled.wrappedBuffer(
                            bytes(
                                    HEADERS
                                            + "1300 730070005f00720065007300650074005f0063006f006e006e0065006300740069006f006e00 0000")));
            client.response();
            await().until(() -> proxy.glance("one").pool().active() == 0);
        }
    }
}
