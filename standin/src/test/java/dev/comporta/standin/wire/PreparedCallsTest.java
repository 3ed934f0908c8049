package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Standin;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Prepared handles as a client sees them: in calls by number and by name, several in a message, and after a reset. */
class PreparedCallsTest {
    private static final RpcParameter NEW_HANDLE = RpcParameter.output("", TypeInfo.intN(4), null);
    private static final String UNKNOWN_7 =
            "ERROR 8179 state 1 class 16: Could not find prepared statement with handle 7.";

    private Standin standin;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        standin = Standin.builder()
                .encryption(Standin.Encryption.NOT_SUPPORTED)
                .database("AppDB")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
        client = loggedIn(TdsVersion.V7_4);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        standin.close();
    }

    private RawClient loggedIn(TdsVersion version) throws IOException {
        RawClient other = new RawClient(standin.port(), version);
        other.answerToLogin("sa");
        return other;
    }

    private static RpcParameter text(String value) {
        return RpcParameter.of("", TypeInfo.nvarchar(4000), value);
    }

    private static RpcParameter number(int value) {
        return RpcParameter.of("", TypeInfo.intN(4), value);
    }

    private static RpcCall prepare(String text) {
        return RpcCall.of(SystemProcedure.PREPARE, NEW_HANDLE, text("@p int"), text(text));
    }

    private static RpcCall execute(int handle, int value) {
        return RpcCall.of(SystemProcedure.EXECUTE, number(handle), number(value));
    }

    @Test
    void everyProcedureOfTheFamilyIsCalledByNumberAndByName() throws Exception {
        client.answerTo("CREATE PROCEDURE thrice @p int AS SELECT @p * 3 AS x");
        for (boolean byName : List.of(false, true)) {
            assertThat(client.answerTo(named(byName, prepare("SELECT @p + 1 AS x"))))
                    .anyMatch(token -> token.startsWith("RETURNVALUE 0"));
            assertThat(client.answerTo(named(byName, execute(1, 4)))).contains("ROW [5]");
            assertThat(client.answerTo(named(
                            byName,
                            RpcCall.of(
                                    SystemProcedure.PREP_EXEC,
                                    RpcParameter.output("", TypeInfo.intN(4), 1),
                                    text("@p int"),
                                    text("SELECT @p + 2 AS x"),
                                    number(4)))))
                    .contains("ROW [6]");
            assertThat(client.answerTo(named(byName, execute(1, 4)))).anyMatch(token -> token.startsWith("ERROR 8179"));
            assertThat(client.answerTo(named(byName, RpcCall.of(SystemProcedure.UNPREPARE, number(2)))))
                    .containsExactly("RETURNSTATUS 0", "DONEPROC 0x0 cmd 0xe0 count 0");
            assertThat(client.answerTo(named(byName, RpcCall.of(SystemProcedure.UNPREPARE, number(2)))))
                    .containsExactly(
                            "ERROR 8179 state 8 class 16: Could not find prepared statement with handle 2.",
                            "DONEPROC 0x2 cmd 0xe0 count 0");
            assertThat(client.answerTo(named(
                            byName,
                            RpcCall.of(
                                    SystemProcedure.PREP_EXEC_RPC,
                                    NEW_HANDLE,
                                    text("{call dbo.thrice(?)}"),
                                    number(4)))))
                    .contains("ROW [12]");
            assertThat(client.answerTo(named(byName, execute(3, 5)))).contains("ROW [15]");
            client.answerTo("DECLARE @x int", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION);
        }
    }

    private static RpcCall named(boolean byName, RpcCall call) {
        return byName
                ? new RpcCall(
                        SystemProcedure.NONE, SystemProcedure.name(call.procId()), call.options(), call.parameters())
                : call;
    }

    @Test
    void valuesAreReturnedByTheirPlaceInTheCallAndLargeOnesLast() throws Exception {
        String declaration = "@a int OUTPUT, @b nvarchar(max) OUTPUT, @c int OUTPUT, @d int";
        String text = "SELECT @a = 1, @b = N'long', @c = 3";
        RpcParameter number = RpcParameter.output("", TypeInfo.intN(4), null);
        RpcParameter large = RpcParameter.output("", TypeInfo.nvarchar(TypeInfo.MAX), null);
        assertThat(values(RpcCall.of(
                        SystemProcedure.PREP_EXEC,
                        NEW_HANDLE,
                        text(declaration),
                        text(text),
                        number,
                        large,
                        number,
                        number(9))))
                .containsExactly(
                        "RETURNVALUE 0  = 1", "RETURNVALUE 3  = 1", "RETURNVALUE 5  = 3", "RETURNVALUE 4  = long");
        assertThat(values(RpcCall.of(SystemProcedure.EXECUTE, number(1), number, large, number, number(9))))
                .containsExactly("RETURNVALUE 1  = 1", "RETURNVALUE 3  = 3", "RETURNVALUE 2  = long");
        assertThat(values(RpcCall.of(
                        SystemProcedure.EXECUTE_SQL, text(text), text(declaration), number, large, number, number(9))))
                .containsExactly("RETURNVALUE 2  = 1", "RETURNVALUE 4  = 3", "RETURNVALUE 3  = long");
    }

    private List<String> values(RpcCall call) throws IOException {
        return client.answerTo(call).stream()
                .filter(token -> token.startsWith("RETURNVALUE"))
                .toList();
    }

    @Test
    void callThatFailsInAMessageOfSeveralLeavesTheOthers() throws Exception {
        for (TdsVersion version : List.of(TdsVersion.V7_1, TdsVersion.V7_4)) {
            try (RawClient other = loggedIn(version)) {
                other.answerTo(prepare("SELECT 12 / @p AS x"));
                List<String> tokens = other.answerTo(execute(1, 3), execute(7, 3), execute(1, 0), execute(1, 4));
                assertThat(tokens.stream().filter(t -> t.startsWith("ROW") || t.startsWith("ERROR")))
                        .as("TDS " + version.number())
                        .containsExactly(
                                "ROW [4]",
                                UNKNOWN_7,
                                "ERROR 8134 state 1 class 16: Divide by zero error encountered.",
                                "ROW [3]");
                assertThat(tokens.stream().filter(t -> t.startsWith("DONEPROC")))
                        .as("all but the last say that more calls follow, 0x80")
                        .containsExactly(
                                "DONEPROC 0x81 cmd 0xe0 count 0",
                                "DONEPROC 0x83 cmd 0xe0 count 0",
                                "DONEPROC 0x83 cmd 0xe0 count 0",
                                "DONEPROC 0x0 cmd 0xe0 count 0");
                assertThat(tokens).filteredOn(t -> t.startsWith("RETURNSTATUS")).hasSize(3);
            }
        }
    }

    @Test
    void textThatGivesUpHandlesIsAnsweredCallByCall() throws Exception {
        client.answerTo(prepare("SELECT @p AS x"), prepare("SELECT @p AS x"));
        assertThat(client.answerTo("EXEC sp_unprepare 1;EXEC sp_unprepare 7;EXEC sp_unprepare 2;"))
                .containsExactly(
                        "RETURNSTATUS 0",
                        "DONEPROC 0x1 cmd 0xe0 count 0",
                        "ERROR 8179 state 8 class 16: Could not find prepared statement with handle 7.",
                        "RETURNSTATUS 8179",
                        "DONEPROC 0x3 cmd 0xe0 count 0",
                        "RETURNSTATUS 0",
                        "DONEPROC 0x0 cmd 0xe0 count 0");
        assertThat(client.answerTo("EXEC sp_execute 1"))
                .containsExactly(
                        "ERROR 8179 state 4 class 16: Could not find prepared statement with handle 1.",
                        "RETURNSTATUS 8179",
                        "DONEPROC 0x2 cmd 0xe0 count 0");
    }

    @Test
    void callThatIsTakenBackPreparesNothing() throws Exception {
        ByteBuf body = Unpooled.buffer();
        new RpcRequest(
                        AllHeaders.AUTOCOMMIT,
                        List.of(
                                new RpcRequest.Entry(prepare("SELECT @p AS x"), false),
                                new RpcRequest.Entry(prepare("SELECT @p * 2 AS x"), true)))
                .write(body, RequestFormat.of(TdsVersion.V7_4));
        client.send(PacketType.RPC, 0, body);
        assertThat(client.tokens())
                .filteredOn(token -> token.startsWith("RETURNVALUE"))
                .hasSize(1);
        assertThat(standin.counters().prepares()).isEqualTo(1);
        assertThat(client.answerTo(execute(1, 4))).contains("ROW [8]");
    }

    @Test
    void executionWithoutMetadataHasRowsOnly() throws Exception {
        client.answerTo(prepare("SELECT @p AS x"));
        ByteBuf body = Unpooled.buffer();
        RpcCall execution = execute(1, 4);
        RpcRequest.of(
                        AllHeaders.AUTOCOMMIT,
                        new RpcCall(execution.procId(), "", RpcCall.OPTION_NO_METADATA, execution.parameters()))
                .write(body, RequestFormat.of(TdsVersion.V7_4));
        client.send(PacketType.RPC, 0, body);
        ByteBuf answer = client.response();
        assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.COLMETADATA);
        assertThat(answer.readUnsignedShortLE()).as("no columns").isEqualTo(0xFFFF);
        assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.ROW);
    }

    @Test
    void resetThatRidesOnAnExecutionComesFirst() throws Exception {
        client.answerTo(prepare("SELECT @p AS x"));
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, execute(1, 4)).write(body, RequestFormat.of(TdsVersion.V7_4));
        client.send(PacketType.RPC, PacketHeader.STATUS_RESETCONNECTION, body);
        List<String> tokens = client.tokens();
        assertThat(tokens.getFirst()).startsWith("ENVCHANGE 18");
        assertThat(tokens).contains("ERROR 8179 state 1 class 16: Could not find prepared statement with handle 1.");
        assertThat(tokens.getLast()).isEqualTo("DONEPROC 0x2 cmd 0xe0 count 0");
        assertThat(standin.counters().unknownHandles()).isEqualTo(1);
    }
}
