package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.Ucs2;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RequestFormat;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.RpcRequest;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.request.TransactionRequest;
import dev.comporta.tds.token.TokenType;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the stand-in sends with the habits of SQL Server and of Babelfish, in each version of the protocol. */
class ServerHabitsTest {
    private static final String DONE = "DONE 0x0 cmd 0x0 count 0";

    private Standin standin;

    @AfterEach
    void stop() {
        standin.close();
    }

    private RawClient client(ServerHabits habits, TdsVersion version) throws Exception {
        RawClient client = stranger(habits, version);
        client.answerToLogin("sa");
        return client;
    }

    private RawClient stranger(ServerHabits habits, TdsVersion version) throws Exception {
        standin = Standin.builder()
                .habits(habits)
                .encryption(Standin.Encryption.NOT_SUPPORTED)
                .database("AppDB")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
        return new RawClient(standin.port(), version);
    }

    @Test
    void sqlServerTellsNothingOfTransactionsAndResetsBelow72() throws Exception {
        try (RawClient client = client(ServerHabits.SQL_SERVER, TdsVersion.V7_1)) {
            assertThat(client.answerTo("BEGIN TRANSACTION")).containsExactly(DONE);
            assertThat(client.answerTo("SELECT @@TRANCOUNT")).contains("ROW [1]");
            assertThat(client.answerTo("COMMIT TRANSACTION")).containsExactly(DONE);
            assertThat(client.answerTo("DECLARE @x int", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION))
                    .containsExactly(DONE);
            assertThat(standin.counters().resets()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V7_2", "V7_3A", "V7_3B", "V7_4"})
    void sqlServerTellsOfBothFrom72(TdsVersion version) throws Exception {
        try (RawClient client = client(ServerHabits.SQL_SERVER, version)) {
            assertThat(client.answerTo(
                            "BEGIN TRANSACTION; COMMIT", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION))
                    .filteredOn(t -> t.startsWith("ENVCHANGE "))
                    .satisfiesExactly(
                            reset -> assertThat(reset).startsWith("ENVCHANGE 18 "),
                            began -> assertThat(began).startsWith("ENVCHANGE 8 "),
                            committed -> assertThat(committed).startsWith("ENVCHANGE 9 "));
        }
    }

    @Test
    void sqlServerReturnsValuesWithTheirLengthBelow72() throws Exception {
        try (RawClient client = client(ServerHabits.SQL_SERVER, TdsVersion.V7_1)) {
            assertThat(client.answerTo(prepare())).anyMatch(t -> t.startsWith("RETURNVALUE 13  = "));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V7_2", "V7_3A", "V7_3B", "V7_4"})
    void sqlServerReturnsValuesWithTheirOrdinalFrom72(TdsVersion version) throws Exception {
        try (RawClient client = client(ServerHabits.SQL_SERVER, version)) {
            assertThat(client.answerTo(prepare())).anyMatch(t -> t.startsWith("RETURNVALUE 0  = "));
        }
    }

    private static RpcCall prepare() {
        return RpcCall.of(
                SystemProcedure.PREPARE,
                RpcParameter.output("", TypeInfo.intN(4), null),
                RpcParameter.of("", TypeInfo.nvarchar(4000), ""),
                RpcParameter.of("", TypeInfo.nvarchar(4000), "SELECT 1"),
                RpcParameter.of("", TypeInfo.intN(4), 1));
    }

    @Test
    void babelfishAcknowledgesResetsAndTellsOfRequestedTransactionsInEveryVersion() throws Exception {
        for (TdsVersion version :
                List.of(TdsVersion.V7_1, TdsVersion.V7_2, TdsVersion.V7_3A, TdsVersion.V7_3B, TdsVersion.V7_4)) {
            try (RawClient client = client(ServerHabits.BABELFISH, version)) {
                assertThat(client.answerTo(
                                "DECLARE @x int", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION))
                        .anyMatch(t -> t.startsWith("ENVCHANGE 18"));
                assertThat(client.answerTo("BEGIN TRANSACTION; COMMIT")).containsExactly(DONE);
                assertThat(commit(client, version))
                        .anyMatch(t -> t.startsWith("ERROR 3902"))
                        .anyMatch(t -> t.startsWith("ENVCHANGE 9"));
            }
            standin.close();
        }
    }

    private static List<String> commit(RawClient client, TdsVersion version) throws Exception {
        ByteBuf body = Unpooled.buffer();
        new TransactionRequest(AllHeaders.AUTOCOMMIT, new TransactionRequest.Commit("", null))
                .write(body, RequestFormat.of(version));
        client.send(PacketType.TRANSACTION_MANAGER, 0, body);
        return client.tokens();
    }

    @Test
    void babelfishEndsAUseBeforeItAcknowledgesAReset() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            List<String> reset =
                    client.answerTo("SELECT 1", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION);
            assertThat(reset.get(0)).isEqualTo("DONE 0x1 cmd 0x2 count 0");
            assertThat(reset.get(1)).startsWith("ENVCHANGE 18");
        }
    }

    @Test
    void babelfishDoesNotKnowTheResetThatKeepsTheTransaction() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            List<String> refused =
                    client.answerTo("SELECT 1", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN);
            assertThat(refused.getFirst()).startsWith("ERROR 33557097");
            assertThat(refused).noneMatch(t -> t.startsWith("ROW"));
            assertThat(client.answerTo("SELECT 1")).contains("ROW [1]");
        }
    }

    @Test
    void loginsAreAnsweredWithTheServersOwnVersionAndMessages() throws Exception {
        try (RawClient client = stranger(ServerHabits.SQL_SERVER, TdsVersion.V7_4)) {
            assertThat(client.prelogin(false).version().major()).isEqualTo(16);
            assertThat(client.answerToLogin("sa"))
                    .anyMatch(t -> t.startsWith("INFO 5701"))
                    .anyMatch(t -> t.startsWith("ENVCHANGE 2"));
        }
        standin.close();
        try (RawClient client = stranger(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            assertThat(client.prelogin(false).version().major()).isEqualTo(12);
            assertThat(client.answerToLogin("sa"))
                    .anyMatch(t -> t.startsWith("INFO 0"))
                    .noneMatch(t -> t.startsWith("ENVCHANGE 2"));
        }
    }

    @Test
    void onlySqlServerWantsTheTransactionThatIsOpenToBeNamed() throws Exception {
        AllHeaders another = new AllHeaders(5, 1, null, null);
        try (RawClient client = client(ServerHabits.SQL_SERVER, TdsVersion.V7_4)) {
            assertThat(client.answerTo("SELECT 1", another, 0).getFirst()).startsWith("ERROR 3971");
        }
        standin.close();
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            assertThat(client.answerTo("SELECT 1", another, 0)).contains("ROW [1]");
        }
    }

    @Test
    void babelfishReturnsValuesWithTheSameLengthWhateverTheyAreBelow72() throws Exception {
        try (RawClient client = client(ServerHabits.SQL_SERVER, TdsVersion.V7_1)) {
            assertThat(client.answerTo(longReturn()))
                    .filteredOn(t -> t.startsWith("RETURNVALUE "))
                    .singleElement()
                    .asString()
                    .doesNotStartWith("RETURNVALUE 13 ");
        }
        standin.close();
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_1)) {
            assertThat(client.answerTo(longReturn())).anyMatch(t -> t.startsWith("RETURNVALUE 13 "));
        }
    }

    private static RpcCall longReturn() {
        return RpcCall.of(
                SystemProcedure.EXECUTE_SQL,
                RpcParameter.of("", TypeInfo.nvarchar(4000), "SET @a = N'twelve'"),
                RpcParameter.of("", TypeInfo.nvarchar(4000), "@a nvarchar(40) OUTPUT"),
                RpcParameter.output("@a", TypeInfo.nvarchar(40), null));
    }

    @Test
    void babelfishHearsAnAttentionWhenTheRequestIsOver() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            standin.misbehave(Misbehaviour.NONE.withSlow(Duration.ofMillis(100)));
            client.sendBatch("SELECT 1", AllHeaders.AUTOCOMMIT, 0);
            client.sendAttention();
            assertThat(client.tokens()).contains("ROW [1]");
            assertThat(client.tokens()).containsExactly("DONE 0x20 cmd 0x0 count 0");
        }
    }

    @Test
    void babelfishSendsCursorRowsWithAValueThatItHasNotDescribed() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            sendFetch(client, openCursor(client), 0);
            ByteBuf answer = client.response();
            assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.COLMETADATA);
            assertThat(answer.readUnsignedShortLE()).as("columns").isEqualTo(1);
            answer.skipBytes(6); // user type and flags
            TypeInfo integer = TypeInfo.read(answer, TdsVersion.V7_4);
            assertThat(Ucs2.readByteLength(answer)).isEqualTo("n");
            assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.ROW);
            assertThat(integer.readColumn(answer)).isEqualTo(7);
            assertThat(integer.readColumn(answer)).as("the row's status").isEqualTo(1);
            assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.DONEINPROC);
        }
    }

    @Test
    void babelfishSendsCursorRowsWithoutColumnsIfAsked() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            sendFetch(client, openCursor(client), RpcCall.OPTION_NO_METADATA);
            ByteBuf answer = client.response();
            assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.COLMETADATA);
            assertThat(answer.readUnsignedShortLE()).as("no columns").isEqualTo(0xFFFF);
            assertThat(answer.readUnsignedByte()).isEqualTo((short) TokenType.ROW);
        }
    }

    @Test
    void babelfishRunsARequestThatItsClientHasWithdrawn() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            client.packet(
                    PacketType.SQL_BATCH,
                    PacketHeader.STATUS_EOM | PacketHeader.STATUS_IGNORE,
                    RawClient.batch("BEGIN TRANSACTION"));
            assertThat(client.tokens()).containsExactly(DONE);
            assertThat(client.answerTo("SELECT @@TRANCOUNT")).contains("ROW [1]");
        }
    }

    @Test
    void babelfishRollsBackWhenAPreparedCursorIsGivenUpThatItDoesNotHave() throws Exception {
        try (RawClient client = client(ServerHabits.BABELFISH, TdsVersion.V7_4)) {
            client.answerTo("BEGIN TRANSACTION");
            assertThat(client.answerTo("EXEC sp_cursorunprepare 99")).anyMatch(t -> t.startsWith("ERROR 33557097"));
            assertThat(client.answerTo("SELECT @@TRANCOUNT")).contains("ROW [0]");
        }
    }

    private static int openCursor(RawClient client) throws Exception {
        return handle(client.answerTo(RpcCall.of(
                SystemProcedure.CURSOR_OPEN,
                RpcParameter.output("", TypeInfo.intN(4), null),
                RpcParameter.of("", TypeInfo.nvarchar(4000), "SELECT 7 AS n"),
                RpcParameter.output("", TypeInfo.intN(4), 8),
                RpcParameter.output("", TypeInfo.intN(4), 1),
                RpcParameter.output("", TypeInfo.intN(4), 0))));
    }

    private static void sendFetch(RawClient client, int handle, int options) throws Exception {
        RpcCall fetch = RpcCall.of(
                SystemProcedure.CURSOR_FETCH,
                RpcParameter.of("", TypeInfo.intN(4), handle),
                RpcParameter.of("", TypeInfo.intN(4), 2),
                RpcParameter.of("", TypeInfo.intN(4), 0),
                RpcParameter.of("", TypeInfo.intN(4), 10));
        ByteBuf body = Unpooled.buffer();
        RpcRequest.of(AllHeaders.AUTOCOMMIT, new RpcCall(fetch.procId(), "", options, fetch.parameters()))
                .write(body, RequestFormat.of(TdsVersion.V7_4));
        client.send(PacketType.RPC, 0, body);
    }

    private static int handle(List<String> tokens) {
        String value = tokens.stream()
                .filter(t -> t.startsWith("RETURNVALUE 0"))
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(value.substring(value.indexOf('=') + 2));
    }

    @Test
    void bulkLoadMayBeRefusedBeforeItIsComplete() throws Exception {
        try (RawClient client = client(ServerHabits.SQL_SERVER, TdsVersion.V7_4)) {
            standin.misbehave(Misbehaviour.NONE.withRefuseBulkLoads(true));
            byte[] packet = {PacketType.BULK_LOAD, 0, 0, 10, 0, 0, 1, 0, 0x11, 0x22};
            client.raw(packet);
            assertThat(client.tokens().getFirst()).startsWith("ERROR 4815");
            client.raw(packet);
            packet[1] = PacketHeader.STATUS_EOM;
            client.raw(packet);
            assertThat(client.answerTo("SELECT 1"))
                    .as("the rest is read for nothing")
                    .contains("ROW [1]");
        }
    }
}
