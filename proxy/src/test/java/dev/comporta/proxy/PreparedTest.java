package dev.comporta.proxy;

import static dev.comporta.testkit.PreparedCall.execute;
import static dev.comporta.testkit.PreparedCall.handleIn;
import static dev.comporta.testkit.PreparedCall.prepare;
import static dev.comporta.testkit.PreparedCall.prepareAndExecute;
import static dev.comporta.testkit.PreparedCall.unprepare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.prepared.PreparedSnapshot;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prepared handles at their bounds: many of them, long ones, and such as packets cut in two. */
@Timeout(60)
class PreparedTest {
    /** What a server connection may have, and what nobody uses any more and is given up soon. */
    private static final int MOST_AT_THE_SERVER = 256 + 32;

    private ProxyFixture fixture;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(1);
        client = RawClient.loggedIn(fixture.proxy.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        fixture.close();
    }

    @Test
    void aConnectionKeepsTheStatementsThatAreUsedAndGivesUpTheOthers() throws Exception {
        List<Integer> handles = new ArrayList<>();
        int most = 0;
        for (int i = 0; i < 400; i++) {
            handles.add(handleIn(client.answerTo(prepare("SELECT " + i))));
            most = Math.max(most, fixture.server.engine().preparedHandles());
        }
        assertThat(most).isBetween(257, MOST_AT_THE_SERVER);
        for (int i = 0; i < 400; i++) {
            assertThat(client.answerTo(execute(handles.get(i)))).contains("ROW [" + i + "]");
        }
        assertThat(prepared().hits()).as("those that were prepared last").isBetween(200L, 256L);
        assertThat(prepared().asText()).isEqualTo(400 - prepared().hits());
        assertThat(fixture.server.counters().unknownHandles()).isZero();
    }

    @Test
    void whatItsClientsHaveGivenBackIsGivenUpAtTheServer() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            int handle = handleIn(client.answerTo(prepareAndExecute("SELECT " + i)));
            assertThat(client.answerTo(unprepare(handle))).noneMatch(token -> token.startsWith("ERROR"));
        }
        assertThat(fixture.server.engine().preparedHandles()).isLessThanOrEqualTo(MOST_AT_THE_SERVER);
        assertThat(prepared().texts()).isZero();
        assertThat(prepared().bytes()).isZero();
    }

    @Test
    void aClientWithMoreTextThanItMayHavePinsUntilItGivesBack() throws Exception {
        String long50 = "/*" + "x".repeat(50_000) + "*/ SELECT ";
        int handle = 0;
        int count = 0;
        while (pinReason() == null) {
            assertThat(count).as("statements of 100 KB").isLessThan(50);
            handle = handleIn(client.answerTo(prepare(long50 + count)));
            count++;
        }
        assertThat(count).as("4 MiB").isGreaterThan(35);
        assertThat(pinReason()).isEqualTo(PinReason.PREPARED_STATEMENT);
        assertThat(prepared().bound()).isOne();
        assertThat(client.answerTo(execute(handle))).contains("ROW [" + (count - 1) + "]");
        client.answerTo(unprepare(handle));
        await().until(() -> pinReason() == null);
    }

    @Test
    void aHandleThatPacketsCutInTwoIsReplaced() throws Exception {
        int handle = handleIn(client.answerTo(prepare("SELECT 42")));
        try (RawClient other = RawClient.loggedIn(fixture.proxy.port())) {
            ByteBuf whole = Unpooled.buffer();
            RpcRequest.of(AllHeaders.AUTOCOMMIT, execute(handle)).write(whole, RequestFormat.of(TdsVersion.V7_4));
            for (int cut = 1; cut < whole.readableBytes(); cut++) {
                client.packet(PacketType.RPC, 0, whole.slice(0, cut));
                client.packet(PacketType.RPC, PacketHeader.STATUS_EOM, whole.slice(cut, whole.readableBytes() - cut));
                assertThat(client.tokens()).as("cut after %d bytes", cut).contains("ROW [42]");
                other.answerTo("SELECT 1");
            }
        }
        assertThat(fixture.server.counters().unknownHandles()).isZero();
    }

    /** A text that changes the database leaves the proxy without knowing it: what is prepared then keeps its connection. */
    @Test
    void handlesOfBeforeAreUsableBesideOnesThatPin() throws Exception {
        int before = handleIn(client.answerTo(prepare("SELECT 1")));
        try (RawClient other = RawClient.loggedIn(fixture.proxy.port())) {
            other.answerTo("CREATE TABLE t (id INT)");
        }
        client.answerTo(RpcCall.of(
                SystemProcedure.EXECUTE_SQL,
                RpcParameter.of("", TypeInfo.nvarchar(100), "USE Other; SELECT DB_NAME()")));
        int bound = handleIn(client.answerTo(prepare("SELECT 2")));
        assertThat(client.answerTo(execute(bound), execute(before), prepareAndExecute("SELECT 3")))
                .filteredOn(PreparedTest::isRow)
                .containsExactly("ROW [2]", "ROW [1]", "ROW [3]");
        assertThat(client.answerTo(execute(bound), execute(before)))
                .filteredOn(PreparedTest::isRow)
                .containsExactly("ROW [2]", "ROW [1]");
    }

    /** As no driver does; but a message may be cut in any way. */
    @Test
    void severalCallsInPacketsOfOneByteAreAnswered() throws Exception {
        int handle = handleIn(client.answerTo(prepare("SELECT 42")));
        ByteBuf whole = Unpooled.buffer();
        RpcRequest.of(
                        AllHeaders.AUTOCOMMIT,
                        execute(handle),
                        prepareAndExecute("SELECT 43 /*" + "x".repeat(9_000) + "*/"),
                        execute(handle))
                .write(whole, RequestFormat.of(TdsVersion.V7_4));
        ByteBuf packets = Unpooled.buffer();
        while (whole.isReadable()) {
            ByteBuf one = whole.readSlice(1);
            int status = whole.isReadable() ? 0 : PacketHeader.STATUS_EOM;
            packets.writeBytes(RawClient.packet(PacketType.RPC, status, PacketHeader.LENGTH + 1, one));
        }
        client.raw(ByteBufUtil.getBytes(packets));
        assertThat(client.tokens()).filteredOn(PreparedTest::isRow).containsExactly("ROW [42]", "ROW [43]", "ROW [42]");
    }

    @Test
    void aReturnedHandleThatPacketsCutInTwoIsTheProxys() throws Exception {
        try (RawClient small = new RawClient(fixture.proxy.port())) {
            small.answerToLogin(login -> login.userName(RawClient.USER)
                    .password(Secret.ofText(RawClient.PASSWORD))
                    .packetSize(PacketHeader.MIN_PACKET_SIZE));
            int first = handleIn(small.answerTo(prepare("SELECT 0")));
            for (int letters = 350; letters < 500; letters++) {
                String sql = "SELECT REPLICATE('x', " + letters + ")";
                int handle = handleIn(small.answerTo(prepareAndExecute(sql)));
                assertThat(handle).as("the number after %d letters", letters).isEqualTo(first + letters - 349);
                assertThat(small.answerTo(execute(handle))).contains("ROW [" + "x".repeat(letters) + "]");
            }
        }
        assertThat(fixture.server.counters().unknownHandles()).isZero();
    }

    private PinReason pinReason() throws IOException {
        return fixture.proxy.glance("one").pool().connections().getFirst().pinReason();
    }

    private PreparedSnapshot prepared() {
        return fixture.proxy.glance("one").prepared();
    }

    private static boolean isRow(String token) {
        return token.startsWith("ROW");
    }
}
