package dev.comporta.proxy.relay;

import static dev.comporta.proxy.relay.Requests.batch;
import static dev.comporta.proxy.relay.Requests.calls;
import static dev.comporta.proxy.relay.Requests.inspected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.relay.request.CursorHandles;
import dev.comporta.proxy.relay.request.PinBook;
import dev.comporta.proxy.relay.request.RequestFindings.Trait;
import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.sql.Finding;
import dev.comporta.tds.sql.Finding.Effect;
import dev.comporta.tds.sql.SetOption;
import dev.comporta.tds.type.TypeInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestInspectorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "CREATE TABLE #t (id INT)                              | TEMPORARY_TABLE",
                "SELECT id INTO #t FROM u                              | TEMPORARY_TABLE",
                "EXEC sp_getapplock 'a', 'Exclusive', 'Session'        | SESSION_LOCK",
                "EXEC sp_set_session_context N'k', 1                   | SESSION_CONTEXT",
                "SET CONTEXT_INFO 0x01                                 | SESSION_CONTEXT",
                "EXEC sp_setapprole 'r', 'p'                           | ROLE",
                "EXECUTE AS USER = 'u'                                 | ROLE",
                "DECLARE c CURSOR GLOBAL FOR SELECT 1                  | CURSOR",
                "SET DATEFIRST @day                                    | NOT_UNDERSTOOD",
                "SET SHOWPLAN_ALL ON                                   | NOT_UNDERSTOOD",
            })
    void aBatchPinsByWhatItLeavesInTheSession(String sql, PinReason reason) {
        RequestInspector request = inspected(batch(sql));
        assertThat(request.found().hasAny(Effect.PIN)).isTrue();
        assertThat(PinBook.of(request.found().pinning())).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "sp_getapplock          | SESSION_LOCK",
                "sys.sp_getapplock      | SESSION_LOCK",
                "master..sp_getapplock  | SESSION_LOCK",
                "sp_set_session_context | SESSION_CONTEXT",
                "sp_setapprole          | ROLE",
                "sp_xml_preparedocument | NOT_UNDERSTOOD",
            })
    void aProcedureCalledByNamePinsAsInABatch(String name, PinReason reason) {
        RequestInspector request = inspected(calls(RpcCall.of(name)));
        assertThat(request.found().has(Trait.OPAQUE)).isTrue();
        assertThat(request.found().hasAny(Effect.PIN)).isTrue();
        assertThat(PinBook.of(request.found().pinning())).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "DECLARE @x INT, true, false, false",
        "SELECT a FROM t, true, false, false",
        "UPDATE t SET a = 1, false, false, false",
        "BEGIN TRANSACTION, false, false, false",
        "BEGIN TRANSACTION; SELECT 1, false, true, false",
        "COMMIT, false, true, false",
        "SET NOCOUNT ON, true, false, false",
        "EXEC p, false, true, true",
        "EXEC ('BEGIN TRAN'), false, true, true",
    })
    void whatIsProvenAndWhatMayEndATransactionAndWhatIsNotSeen(
            String sql, boolean leavesNothing, boolean transaction, boolean opaque) {
        RequestInspector request = inspected(batch(sql));
        assertThat(request.leavesNothing()).isEqualTo(leavesNothing);
        assertThat(request.mayEndTransaction()).isEqualTo(transaction);
        assertThat(request.found().has(Trait.OPAQUE)).isEqualTo(opaque);
        assertThat(request.found().hasAny(Effect.PIN)).isFalse();
        assertThat(request.isComplete()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT SCOPE_IDENTITY(), true",
        "SELECT @@IDENTITY, true",
        "SELECT @@ROWCOUNT, true",
        "IF @@ERROR <> 0 SELECT 1, true",
        "INSERT INTO t VALUES (1); SELECT SCOPE_IDENTITY(), false",
        "SELECT 1; SELECT @@ROWCOUNT, false",
    })
    void whatTheRequestBeforeLeftIsAskedFor(String sql, boolean previous) {
        assertThat(inspected(batch(sql)).found().hasAny(Effect.PREVIOUS_REQUEST))
                .isEqualTo(previous);
    }

    @ParameterizedTest
    @CsvSource({
        "sp_execute, true, false",
        "sp_cursorfetch, true, false",
        "sp_execute, false, false",
        "sp_cursorexecute, false, false",
        "list_orders, false, false",
        "sp_cursorfetch, false, true",
    })
    void columnsAreAskedForUnlessTheServerDescribesThemWrongly(
            String procedure, boolean fetchesDescribed, boolean staysWithout) {
        ByteBuf request =
                calls(new RpcCall(SystemProcedure.byName(procedure), procedure, RpcCall.OPTION_NO_METADATA, List.of()));
        inspected(fetchesDescribed, request);
        int options = RpcRequest.read(request.skipBytes(PacketHeader.LENGTH), Requests.FORMAT)
                .entries()
                .getFirst()
                .call()
                .options();
        assertThat(options).isEqualTo(staysWithout ? RpcCall.OPTION_NO_METADATA : 0);
    }

    @Test
    void optionsThatAreSetInABatchHoldAfterIt() {
        RequestInspector request = inspected(batch("SET DATEFIRST 3; SET LANGUAGE french"));
        assertThat(request.found().apply(SessionState.AS_LOGGED_IN))
                .isEqualTo(
                        SessionState.AS_LOGGED_IN.with(SetOption.DATEFIRST, "3").with(SetOption.LANGUAGE, "french"));
        assertThat(request.found().has(Trait.PINS_IF_CUT_SHORT)).isTrue();
    }

    @Test
    void optionsThatAreSetInsideACallEndWithIt() {
        RequestInspector request = inspected(calls(executeSql("SET DATEFIRST 3")));
        assertThat(request.found().apply(SessionState.AS_LOGGED_IN)).isEqualTo(SessionState.AS_LOGGED_IN);
    }

    /** The handle of sp_cursorexecute goes in, the cursor's comes back: the second parameter, and the first to return. */
    @Test
    void beforeTds72WhatComesBackIsCounted() {
        RequestInspector request = new RequestInspector(RequestFormat.of(TdsVersion.V7_1));
        ByteBuf call = calls(
                RequestFormat.of(TdsVersion.V7_1),
                RpcCall.of(
                        SystemProcedure.CURSOR_EXECUTE,
                        RpcParameter.of("", TypeInfo.intN(4), 5),
                        RpcParameter.output("", TypeInfo.intN(4), null)));
        request.begin(call, ProcedureRules.SHARE, null, true, false);
        request.read(call);
        PinBook pins = new PinBook();
        request.cursors().returned(1, 9, pins);
        assertThat(pins.reason()).isNull();
        request.cursors().returned(0, 9, pins);
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
    }

    @Test
    void aMessageInWhichACallWasTakenBackClosesNoCursor() {
        CursorHandles cursors = new CursorHandles(TdsVersion.V7_4);
        cursors.begin();
        cursors.call(SystemProcedure.CURSOR_CLOSE);
        assertThat(cursors.parameter(0, 0)).isTrue();
        cursors.integer(5);
        cursors.callEnd(false);
        PinBook pins = new PinBook();
        pins.cursor(5);
        cursors.close(pins);
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
    }

    @Test
    void aMessageThatClosesMoreCursorsThanAreKeptClosesNone() {
        CursorHandles cursors = new CursorHandles(TdsVersion.V7_4);
        cursors.begin();
        for (int handle = 1; handle <= PinBook.MOST_CURSORS + 1; handle++) {
            cursors.call(SystemProcedure.CURSOR_CLOSE);
            cursors.parameter(0, 0);
            cursors.integer(handle);
            cursors.callEnd(true);
        }
        PinBook pins = new PinBook();
        pins.cursor(5);
        cursors.close(pins);
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
    }

    @Test
    void aStatementThatIsGivenBackClosesNoCursorOfTheSameNumber() {
        RequestInspector request =
                inspected(calls(RpcCall.of(SystemProcedure.UNPREPARE, RpcParameter.of("", TypeInfo.intN(4), 5))));
        PinBook pins = new PinBook();
        pins.cursor(5);
        request.cursors().close(pins);
        assertThat(pins.reason()).isEqualTo(PinReason.CURSOR);
    }

    @Test
    void ofSeveralCallsInAMessageEachCounts() {
        RequestInspector request = inspected(calls(
                executeSql("SELECT 1"),
                RpcCall.of("sp_getapplock"),
                RpcCall.of(SystemProcedure.CURSOR_CLOSE, RpcParameter.of("", TypeInfo.intN(4), 5)),
                executeSql("BEGIN TRANSACTION")));
        assertThat(request.found().has(Finding.LOCKS_APPLICATION)).isTrue();
        assertThat(request.found().has(Finding.BEGINS_TRANSACTION)).isTrue();
        PinBook pins = new PinBook();
        pins.cursor(5);
        request.cursors().close(pins);
        assertThat(pins.reason()).isNull();
    }

    @Test
    void aRequestThatIsGivenUpDoesNothing() {
        ByteBuf first = batch("BEGIN TRANSACTION; CREATE TABLE #t (id INT)");
        PacketHeader.setStatus(first, 0);
        ByteBuf end = Requests.packet(
                PacketType.SQL_BATCH, PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE, Unpooled.EMPTY_BUFFER);
        RequestInspector request = inspected(first, end);
        assertThat(request.isIgnored()).isTrue();
        assertThat(request.found().hasAny(Effect.PIN)).isFalse();
        assertThat(request.mayEndTransaction()).isFalse();
    }

    @Test
    void theNextRequestBeginsWithNothingOfTheLast() {
        RequestInspector request = inspected(batch("CREATE TABLE #t (id INT); SET DATEFIRST 3; EXEC p"));
        ByteBuf next = batch("SELECT 1");
        request.begin(next, ProcedureRules.SHARE, null, true, false);
        request.read(next);
        assertThat(request.found().hasAny(Effect.PIN)).isFalse();
        assertThat(request.found().has(Trait.OPAQUE)).isFalse();
        assertThat(request.found().has(Trait.PINS_IF_CUT_SHORT)).isFalse();
        assertThat(request.found().apply(SessionState.AS_LOGGED_IN)).isEqualTo(SessionState.AS_LOGGED_IN);
    }

    @Test
    void aStatementUnderAnyNameThatDriversGiveItIsRead() {
        for (String name : List.of("", "@stmt", "@statement", "@Statement")) {
            RequestInspector request = inspected(calls(RpcCall.of(
                    SystemProcedure.EXECUTE_SQL, RpcParameter.of(name, TypeInfo.nvarchar(100), "BEGIN TRANSACTION"))));
            assertThat(request.found().has(Finding.BEGINS_TRANSACTION)).as(name).isTrue();
            assertThat(request.found().hasAny(Effect.PIN)).as(name).isFalse();
        }
    }

    @Test
    void aStatementThatMayNotBeTheOneThatRunsIsNotUnderstood() {
        RpcCall otherName =
                RpcCall.of(SystemProcedure.EXECUTE_SQL, RpcParameter.of("@params", TypeInfo.nvarchar(100), "@a INT"));
        RpcCall otherPlace = RpcCall.of(
                SystemProcedure.EXECUTE_SQL,
                text("SELECT 1"),
                RpcParameter.of("@stmt", TypeInfo.nvarchar(100), "CREATE TABLE #t (n INT)"));
        RpcCall otherType = RpcCall.of(
                SystemProcedure.EXECUTE_SQL, RpcParameter.of("", TypeInfo.varchar(100), "CREATE TABLE #t (n INT)"));
        for (RpcCall call : List.of(otherName, otherPlace, otherType)) {
            assertThat(inspected(calls(call)).found().has(Finding.NOT_UNDERSTOOD))
                    .as("%s", call)
                    .isTrue();
        }
    }

    private static RpcCall executeSql(String sql) {
        return RpcCall.of(SystemProcedure.EXECUTE_SQL, text(sql));
    }

    private static RpcParameter text(String value) {
        return RpcParameter.of("", TypeInfo.nvarchar(4000), value);
    }
}
