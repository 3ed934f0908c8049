package dev.comporta.proxy.relay;

import static dev.comporta.proxy.relay.Requests.calls;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.prepared.ClientHandles;
import dev.comporta.proxy.prepared.PreparedTexts;
import dev.comporta.proxy.prepared.ServerHandles;
import dev.comporta.proxy.relay.request.HandlePlaces;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What becomes of the handles in a request, and of those that come back. */
class PreparedCallsTest {
    private static final String SELECT = "SELECT name FROM t WHERE id = @p";

    private final PreparedTexts bucket = new PreparedTexts();
    private final ClientState state = new ClientState(false, new ClientHandles(bucket, false));
    private final ServerHandles server = new ServerHandles();

    @Test
    void aHandleIsTheProxysOwnAndIsReplacedByTheServersOnItsWay() {
        long handle = prepared(state, server, SELECT, 5);
        assertThat(handle).isGreaterThan(1000);
        assertThat(sent(state, server, execute(handle))).isEqualTo(5);
        assertThat(state.pinReason()).isNull();
        assertThat(bucket.snapshot().hits()).isEqualTo(1);
    }

    @Test
    void theSameNumberOnTheServerIsAnotherConnectionsStatement() {
        ServerHandles other = new ServerHandles();
        long handle = prepared(state, server, SELECT, 5);
        prepared(new ClientState(false, new ClientHandles(bucket, false)), other, "SELECT 1", 5);
        assertThat(sent(state, other, execute(handle))).isEqualTo(handle);
    }

    @Test
    void whatAnotherClientHasPreparedOnTheConnectionServesAsWell() {
        ClientState other = new ClientState(false, new ClientHandles(bucket, false));
        long handle = prepared(state, new ServerHandles(), SELECT, 5);
        prepared(other, server, SELECT, 7);
        assertThat(sent(state, server, execute(handle))).isEqualTo(7);
        assertThat(bucket.snapshot().texts()).isEqualTo(1);
    }

    @Test
    void aNumberThatTheClientWasNotGivenNeverNamesAServersStatement() {
        long others = prepared(new ClientState(false, new ClientHandles(bucket, false)), server, SELECT, 1);
        assertThat(sent(state, server, execute(1))).isEqualTo(-1);
        assertThat(sent(state, server, execute(others))).isEqualTo(others);
        assertThat(sent(state, server, unprepare(1))).isEqualTo(-1);
        assertThat(sent(
                        state,
                        server,
                        calls(RpcCall.of(
                                SystemProcedure.PREP_EXEC,
                                RpcParameter.output("", TypeInfo.intN(4), 1),
                                text(""),
                                text(SELECT)))))
                .isEqualTo(-1);
    }

    @Test
    void noNumberIsGivenTwiceAndNoneAfterItWasGivenBack() {
        long first = prepared(state, server, SELECT, 5);
        RequestInspector request = read(state, unprepare(first));
        assertThat(replacement(request, server)).isEqualTo(5);
        request.prepared().end(server, true);
        long second = prepared(state, server, SELECT, 5);
        assertThat(second).isNotEqualTo(first);
        assertThat(sent(state, server, execute(first))).isEqualTo(first);
        state.reset();
        assertThat(sent(state, server, execute(second))).isEqualTo(second);
        assertThat(bucket.snapshot().texts()).isZero();
        assertThat(bucket.snapshot().bytes()).isZero();
    }

    /** As Vert.x does; the other kind's procedures take a number of their own only. */
    @Test
    void aPreparedCursorIsGivenBackAsAStatementIs() {
        RequestInspector preparing = read(
                state,
                calls(RpcCall.of(
                        SystemProcedure.CURSOR_PREPARE,
                        RpcParameter.output("", TypeInfo.intN(4), null),
                        text("@p int"),
                        text(SELECT),
                        RpcParameter.of("", TypeInfo.intN(4), 1))));
        long cursor = state.returned(preparing, server, 0, 0x4000_0001);
        preparing.prepared().end(server, true);
        assertThat(sent(state, server, execute(cursor))).isEqualTo(cursor);
        RequestInspector request = read(state, unprepare(cursor));
        assertThat(replacement(request, server)).isEqualTo(0x4000_0001);
        request.prepared().end(server, true);
        assertThat(bucket.snapshot().texts()).isZero();
    }

    @Test
    void whatTheServerWasToldToGiveUpIsNotBelievedToBeThereWhateverItAnswers() {
        long handle = prepared(state, server, SELECT, 5);
        RequestInspector request = read(state, unprepare(handle));
        assertThat(replacement(request, server)).isEqualTo(5);
        request.prepared().end(server, false);
        assertThat(sent(state, server, execute(handle))).isEqualTo(handle);
    }

    @Test
    void aHandleThatWasReplacedIsGivenUpLaterAndTheServerIsToldOfNone() {
        long handle = prepared(state, server, SELECT, 5);
        RequestInspector request = read(
                state,
                calls(RpcCall.of(
                        SystemProcedure.PREP_EXEC,
                        RpcParameter.output("", TypeInfo.intN(4), (int) handle),
                        text(""),
                        text("SELECT 2"))));
        assertThat(replacement(request, server)).isZero();
        state.returned(request, server, 0, 6);
        request.prepared().end(server, true);
        assertThat(server.giveUpSurplus()).isEqualTo("EXEC sp_unprepare 5;");
        assertThat(sent(state, server, execute(handle))).isEqualTo(handle);
    }

    @Test
    void whatAStatementDoesCountsAtEachExecution() {
        long handle = prepared(state, server, "SET CONTEXT_INFO 0x01", 5);
        assertThat(read(state, execute(handle)).found().has(Finding.SETS_CONTEXT_INFO))
                .isTrue();
        long select = prepared(state, server, SELECT, 6);
        assertThat(read(state, execute(select)).leavesNothing()).isTrue();
        long insert = prepared(state, server, "INSERT INTO t VALUES (1)", 7);
        assertThat(read(state, execute(insert)).leavesNothing()).isFalse();
    }

    /** Which of the two has come back can't be told for certain, if one of them failed. */
    @Test
    void ofTwoStatementsThatAreFirstPreparedTogetherEachPins() {
        RequestInspector request = read(state, calls(prepare("SELECT 1"), prepare("SELECT 2")));
        long first = state.returned(request, server, 0, 1);
        long second = state.returned(request, server, 0, 2);
        assertThat(state.pinReason()).isEqualTo(PinReason.PREPARED_STATEMENT);
        assertThat(sent(state, server, execute(first))).isEqualTo(1);
        assertThat(sent(state, server, execute(second))).isEqualTo(2);
        Objects.requireNonNull(state.handles()).remove(first);
        Objects.requireNonNull(state.handles()).remove(second);
        assertThat(state.pinReason()).isNull();
    }

    @Test
    void whereAnotherCallMayReturnTheSameParameterNothingIsTakenForAHandle() {
        RequestInspector request = read(
                state, calls(prepare("SELECT 1"), RpcCall.of("p", RpcParameter.output("", TypeInfo.intN(4), null))));
        assertThat(state.returned(request, server, 0, 1)).isEqualTo(1);
        request.prepared().end(server, true);
        assertThat(server.isEmpty()).isFalse(); // one that nobody has a number of
    }

    @Test
    void aStatementThatPinsByConfigurationKeepsItsConnection() {
        ClientState pinned = new ClientState(false, new ClientHandles(bucket, true));
        long handle = prepared(pinned, server, SELECT, 5);
        assertThat(pinned.pinReason()).isEqualTo(PinReason.PREPARED_STATEMENT);
        assertThat(sent(pinned, server, execute(handle))).isEqualTo(5);
        assertThat(bucket.snapshot().texts()).isZero();
        assertThat(bucket.snapshot().bound()).isEqualTo(1);
    }

    @Test
    void aTextThatIsTooLongPins() {
        prepared(state, server, "SELECT " + "1 + ".repeat(20_000) + "1", 5);
        assertThat(state.pinReason()).isEqualTo(PinReason.PREPARED_STATEMENT);
    }

    private static long prepared(ClientState state, ServerHandles server, String sql, int serversNumber) {
        RequestInspector request = read(state, calls(prepare(sql)));
        long handle = state.returned(request, server, 0, serversNumber);
        request.prepared().end(server, true);
        return handle;
    }

    private static RpcCall prepare(String sql) {
        return RpcCall.of(
                SystemProcedure.PREPARE, RpcParameter.output("", TypeInfo.intN(4), null), text("@p int"), text(sql));
    }

    private static ByteBuf execute(long handle) {
        return calls(RpcCall.of(SystemProcedure.EXECUTE, RpcParameter.of("", TypeInfo.intN(4), (int) handle)));
    }

    private static ByteBuf unprepare(long handle) {
        return calls(RpcCall.of(SystemProcedure.UNPREPARE, RpcParameter.of("", TypeInfo.intN(4), (int) handle)));
    }

    private static RpcParameter text(String sql) {
        return RpcParameter.of("", TypeInfo.ntext(), sql);
    }

    private static RequestInspector read(ClientState state, ByteBuf packet) {
        RequestInspector request = new RequestInspector(Requests.FORMAT);
        request.begin(packet, ProcedureRules.SHARE, state.handles(), true, false);
        request.read(packet);
        return request;
    }

    /** What stands in the place of the only handle when the request is sent. */
    private long sent(ClientState state, ServerHandles server, ByteBuf packet) {
        return replacement(read(state, packet), server);
    }

    private long replacement(RequestInspector request, ServerHandles server) {
        HandlePlaces places = request.prepared().places();
        assertThat(places.size()).isEqualTo(1);
        return places.replace(0, server, bucket.counters());
    }
}
