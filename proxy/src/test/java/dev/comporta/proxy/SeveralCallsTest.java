package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several procedure calls in one message: what one of them does to the session counts, wherever it stands. */
@Timeout(60)
class SeveralCallsTest {
    /** What a server says of a call that leaves a transaction open. */
    private static final String TRANSACTION_LEFT_OPEN = "ERROR 266 ";

    private ProxyFixture fixture;
    private RawClient client;
    private RawClient other;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(1);
        client = RawClient.loggedIn(fixture.proxy.port());
        other = RawClient.loggedIn(fixture.proxy.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        other.close();
        fixture.close();
    }

    @Test
    void callsThatLeaveNothingBehindLetTheConnectionGo() throws Exception {
        calls(executeSql("SELECT 1"), executeSql("SELECT 2"), executeSql("SELECT 3"));
        assertThat(pins()).isEmpty();
        other.sendBatch("SELECT 4");
        assertThat(other.doneStatus() & DoneStatus.ERROR).isZero();
    }

    @Test
    void aTransactionBegunInTheMiddleKeepsIt() throws Exception {
        calls(executeSql("SELECT 1"), executeSql("BEGIN TRANSACTION"), executeSql("SELECT 2"));
        assertThat(pins()).containsOnly(PinReason.TRANSACTION);
    }

    @Test
    void aLockTakenInTheMiddleKeepsIt() throws Exception {
        calls(
                executeSql("SELECT 1"),
                RpcCall.of("sp_getapplock", text("mine"), text("Exclusive"), text("Session")),
                executeSql("SELECT 2"));
        assertThat(pins()).containsOnly(PinReason.SESSION_LOCK);
    }

    @Test
    void aStatementPreparedInTheMiddleDoesNotKeepIt() throws Exception {
        calls(executeSql("SELECT 1"), prepare("SELECT 2"), executeSql("SELECT 3"));
        assertThat(pins()).isEmpty();
    }

    /** If one of them failed, it could not be told which handle is whose. */
    @Test
    void twoStatementsPreparedInOneMessageKeepIt() throws Exception {
        calls(prepare("SELECT 1"), prepare("SELECT 2"));
        assertThat(pins()).containsOnly(PinReason.PREPARED_STATEMENT);
    }

    private Set<PinReason> pins() {
        Set<PinReason> pins = EnumSet.noneOf(PinReason.class);
        fixture.proxy.glance("one").pool().connections().forEach(connection -> {
            if (connection.pinReason() != null) {
                pins.add(connection.pinReason());
            }
        });
        return pins;
    }

    /** Sends the calls in one message, and reads the answer. */
    private void calls(RpcCall... calls) throws Exception {
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, calls).write(body, RequestFormat.of(TdsVersion.V7_4));
        client.packet(PacketType.RPC, PacketHeader.STATUS_EOM, body);
        assertThat(client.tokens())
                .isNotEmpty()
                .noneMatch(token -> token.startsWith("ERROR") && !token.startsWith(TRANSACTION_LEFT_OPEN));
    }

    private static RpcCall executeSql(String sql) {
        return RpcCall.of(SystemProcedure.EXECUTE_SQL, text(sql));
    }

    private static RpcCall prepare(String sql) {
        return RpcCall.of(
                SystemProcedure.PREPARE, RpcParameter.output("", TypeInfo.intN(4), null), text(""), text(sql));
    }

    private static RpcParameter text(String value) {
        return RpcParameter.of("", TypeInfo.nvarchar(100), value);
    }
}
