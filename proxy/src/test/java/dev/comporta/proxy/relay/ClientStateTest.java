package dev.comporta.proxy.relay;

import static dev.comporta.proxy.relay.Requests.batch;
import static dev.comporta.proxy.relay.Requests.calls;
import static dev.comporta.proxy.relay.Requests.inspected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.login.LoginResponses;
import dev.comporta.proxy.relay.known.ServerHabits;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.request.TransactionRequest;
import dev.comporta.tds.sql.SetOption;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientStateTest {
    private static final SessionState MONDAYS = SessionState.AS_LOGGED_IN.with(SetOption.DATEFIRST, "1");
    private static final int SELECT = 0xC1;
    private static final int INSERT = 0xC3;

    private final ClientState state = new ClientState(false, null);
    private final PooledServer server = TestServer.connected(LoginResponses.accepted());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // the request                      | pins when it ran | pins when it was cut short
                "SELECT a FROM t                    | -                | -",
                "UPDATE t SET a = 1                 | -                | -",
                "SET DATEFIRST 1                    | -                | NOT_UNDERSTOOD",
                "CREATE TABLE #t (id INT)           | TEMPORARY_TABLE  | TEMPORARY_TABLE",
                "SELECT a FROM #t                   | -                | NOT_UNDERSTOOD",
                "EXEC sp_set_session_context N'k',1 | SESSION_CONTEXT  | SESSION_CONTEXT",
                "INSERT BULK t (a INT)              | BULK_LOAD        | BULK_LOAD",
                "EXEC p                             | -                | -",
            })
    void whatPins(String sql, PinReason ran, PinReason cutShort) {
        state.after(inspected(batch(sql)), server, true);
        assertThat(state.pinReason()).isEqualTo(ran);
        ClientState other = new ClientState(false, null);
        other.after(inspected(batch(sql)), server, false);
        assertThat(other.pinReason()).isEqualTo(cutShort);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "EXEC dbo.take_lock     | PROCEDURE",
                "EXEC ('EXEC take_lock') | PROCEDURE",
                "EXEC @name             | PROCEDURE",
                "EXEC other             | -",
                "SELECT 1               | -",
            })
    void proceduresPinAsConfigured(String sql, PinReason reason) {
        state.after(inspectedWithRule(sql), server, true);
        assertThat(state.pinReason()).isEqualTo(reason);
    }

    private static RequestInspector inspectedWithRule(String sql) {
        ByteBuf packet = batch(sql);
        RequestInspector request = new RequestInspector(Requests.FORMAT);
        request.begin(packet, ProcedureRules.of(List.of("take_lock"), List.of()), null, true, false);
        request.read(packet);
        return request;
    }

    @Test
    void aProcedureThatPinsMayLeaveWhatOnlyADocumentedResetRemoves() {
        server.session().habits(ServerHabits.TELLS);
        state.after(inspectedWithRule("EXEC take_lock"), server, true);
        assertThat(server.session().isSpent()).isFalse();
        server.session().habits(ServerHabits.ASKED);
        state.after(inspectedWithRule("EXEC other"), server, true);
        assertThat(server.session().isSpent()).isFalse();
        state.after(inspectedWithRule("EXEC take_lock"), server, true);
        assertThat(server.session().isSpent()).isTrue();
    }

    @Test
    void whatWasSetHoldsOnlyIfItRan() {
        state.after(inspected(batch("SET DATEFIRST 1")), server, false);
        assertThat(state.settings()).isEqualTo(SessionState.AS_LOGGED_IN);
        state.after(inspected(batch("SET DATEFIRST 1")), server, true);
        assertThat(state.settings()).isEqualTo(MONDAYS);
        assertThat(server.session().state()).isEqualTo(MONDAYS);
        state.reset();
        assertThat(state.settings()).isEqualTo(SessionState.AS_LOGGED_IN);
        assertThat(state.pinReason()).isNull();
    }

    @Test
    void theServersWordOnTheDatabaseHoldsHoweverItEnded() {
        server.tracker().beginResponse();
        server.tracker().databaseChanged("Other", "AppDB");
        state.after(inspected(batch("USE Other; SELECT 1/0")), server, false);
        assertThat(state.settings()).isEqualTo(SessionState.AS_LOGGED_IN.inDatabase("Other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXEC ('USE Other')", "EXEC sp_executesql N'USE Other'", "EXEC (@text)"})
    void aDatabaseThatMayBePutBackUnsaidPins(String sql) {
        server.tracker().beginResponse();
        server.tracker().databaseChanged("Other", "AppDB");
        state.after(inspected(batch(sql)), server, true);
        assertThat(state.pinReason()).isEqualTo(PinReason.NOT_UNDERSTOOD);
    }

    @Test
    void onlyWhatIsProvenToLeaveNothingLeavesTheConnectionProven() {
        state.after(inspected(batch("SELECT a FROM t")), server, true);
        assertThat(server.session().isProven()).isTrue();
        for (ByteBuf request : List.of(
                calls(RpcCall.of("p")),
                batch("INSERT INTO t VALUES (1)"),
                batch("UPDATE t SET a = 1"),
                calls(RpcCall.of(SystemProcedure.EXECUTE, RpcParameter.of("", TypeInfo.intN(4), 1))))) {
            state.after(inspected(request), server, true);
            assertThat(server.session().isProven()).isFalse();
            server.session().broughtInto(SessionState.AS_LOGGED_IN);
            assertThat(server.session().isProven()).isTrue();
        }
    }

    @Test
    void aDropThatMayBeRolledBackYetPins() {
        String sql = "CREATE TABLE #n (id INT); DROP TABLE #n";
        server.session().habits(ServerHabits.TELLS);
        server.tracker().beginResponse();
        state.after(inspected(batch(sql)), server, true);
        assertThat(state.pinReason()).isNull();
        server.tracker().transactionBegan(1);
        server.tracker().beginResponse();
        state.after(inspected(batch(sql)), server, true);
        assertThat(state.pinReason()).isEqualTo(PinReason.TEMPORARY_TABLE);
    }

    @Test
    void aResetThatIsCalledByNameIsOne() {
        state.after(inspected(batch("CREATE TABLE #n (id INT); SET DATEFIRST 1")), server, true);
        assertThat(state.pinReason()).isEqualTo(PinReason.TEMPORARY_TABLE);
        state.after(inspected(calls(RpcCall.of("sp_reset_connection"))), server, false);
        assertThat(state.pinReason()).isEqualTo(PinReason.TEMPORARY_TABLE);
        state.after(inspected(calls(RpcCall.of("sp_reset_connection"))), server, true);
        assertThat(state.pinReason()).isNull();
        assertThat(state.settings()).isEqualTo(SessionState.AS_LOGGED_IN);
        assertThat(server.session().isProven()).isFalse();
    }

    @Test
    void noResetMakesAConnectionGoodAgainWhoseClientTookARoleOrAnother() {
        state.after(inspected(calls(RpcCall.of("sp_setapprole"))), server, true);
        server.session().broughtInto(SessionState.AS_LOGGED_IN);
        assertThat(server.session().isSpent()).isTrue();
        PooledServer posed = TestServer.connected(LoginResponses.accepted());
        new ClientState(false, null).after(inspected(batch("EXECUTE AS USER = 'u'")), posed, true);
        posed.session().broughtInto(SessionState.AS_LOGGED_IN);
        assertThat(posed.session().isSpent()).isTrue();
    }

    /** No documentation says that a reset ends either of them. */
    @ParameterizedTest
    @ValueSource(strings = {"sp_bindsession", "sp_getbindtoken", "sp_replsetoriginator"})
    void noResetMakesAConnectionGoodAgainThatIsTiedToAnotherSessionOrToReplication(String procedure) {
        server.session().habits(ServerHabits.TELLS);
        state.after(inspected(calls(RpcCall.of(procedure))), server, true);
        server.session().broughtInto(SessionState.AS_LOGGED_IN);
        assertThat(server.session().isSpent()).isTrue();
    }

    /** MS-TDS: a reset puts back neither distributed transactions nor isolation levels. */
    @Test
    void theIsolationLevelAfterADistributedTransactionIsNotKnown() {
        server.session().habits(ServerHabits.TELLS);
        state.after(inspected(joins(new byte[] {1, 2, 3})), server, true);
        server.session().reset();
        assertThat(server.session().isResetEnough()).isFalse();
        server.session().broughtInto(SessionState.AS_LOGGED_IN);
        assertThat(server.session().isResetEnough()).isTrue();
    }

    private static ByteBuf joins(byte[] token) {
        ByteBuf body = Unpooled.buffer();
        new TransactionRequest(AllHeaders.AUTOCOMMIT, new TransactionRequest.Propagate(token))
                .write(body, Requests.FORMAT);
        return Requests.packet(PacketType.TRANSACTION_MANAGER, PacketHeader.STATUS_EOM, body);
    }

    @Test
    void aRequestThatIsNotFollowedKeepsItsClientWhereItIs() {
        ByteBuf nonsense = Requests.packet(
                PacketType.RPC, PacketHeader.STATUS_EOM, Unpooled.wrappedBuffer(new byte[] {22, 0, 0, 0, 1}));
        state.after(inspected(nonsense), server, true);
        assertThat(state.pinReason()).isEqualTo(PinReason.NOT_UNDERSTOOD);
        state.reset();
        assertThat(state.pinReason()).isEqualTo(PinReason.NOT_UNDERSTOOD);
        assertThat(server.session().isSpent()).isTrue();
    }

    @Test
    void whatAResetHasMadeOfTheIsolationLevelIsNotKnown() {
        ByteBuf reset = batch("SELECT 1");
        PacketHeader.setStatus(reset, PacketHeader.STATUS_EOM | PacketHeader.STATUS_RESETCONNECTION);
        server.session().broughtInto(SessionState.AS_LOGGED_IN);
        server.beginRequest(reset, false);
        assertThat(server.session().isProven()).isTrue();
        server.session()
                .broughtInto(SessionState.AS_LOGGED_IN.with(SetOption.TRANSACTION_ISOLATION_LEVEL, "SERIALIZABLE"));
        server.beginRequest(reset, false);
        assertThat(server.session().isProven()).isFalse();
    }

    @Test
    void aCursorThatComesBackPinsAndANumberThatIsNoneDoesNot() {
        RequestInspector open = inspected(calls(RpcCall.of(SystemProcedure.CURSOR_OPEN)));
        returned(state, open, 3);
        assertThat(state.pinReason()).isNull();
        returned(state, open, 0);
        assertThat(state.pinReason()).isEqualTo(PinReason.CURSOR);
    }

    @Test
    void ofSeveralCallsAnyNumberMayBeACursor() {
        RequestInspector both =
                inspected(calls(RpcCall.of(SystemProcedure.CURSOR_OPEN), RpcCall.of(SystemProcedure.CURSOR_OPEN)));
        returned(state, both, 3);
        assertThat(state.pinReason()).isEqualTo(PinReason.CURSOR);
    }

    @Test
    void aCursorThatIsClosedAndComesAgainInOneMessagePins() {
        RpcParameter handle = RpcParameter.of("", TypeInfo.intN(4), 17);
        RequestInspector cursors = inspected(
                calls(RpcCall.of(SystemProcedure.CURSOR_CLOSE, handle), RpcCall.of(SystemProcedure.CURSOR_OPEN)));
        returned(state, cursors, 0);
        state.after(cursors, server, true);
        assertThat(state.pinReason()).isEqualTo(PinReason.CURSOR);
    }

    private void returned(ClientState to, RequestInspector request, int ordinal) {
        assertThat(to.returned(request, server.session().handles(), ordinal, 17))
                .isEqualTo(17);
    }

    @Test
    void aResultIsKeptForTheNextRequestWhereThatIsWanted() {
        ClientState keeping = new ClientState(true, null);
        answered(INSERT);
        keeping.after(inspected(batch("INSERT INTO t VALUES (1)")), server, true);
        state.after(inspected(batch("INSERT INTO t VALUES (1)")), server, true);
        assertThat(keeping.pinReason()).isEqualTo(PinReason.RESULT);
        assertThat(state.pinReason()).isNull();
        answered(SELECT);
        keeping.after(inspected(batch("SELECT @@IDENTITY")), server, true);
        assertThat(keeping.pinReason()).isNull();
        answered(SELECT);
        keeping.after(inspected(calls(RpcCall.of("p"))), server, true);
        assertThat(keeping.pinReason()).isEqualTo(PinReason.RESULT);
    }

    private void answered(int command) {
        server.tracker().beginResponse();
        server.tracker().done(TokenType.DONE, 0, command, 1);
    }
}
