package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.engine.HandleCounts;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Encryption.Policy;
import dev.comporta.tds.login.FeatureExtension;
import dev.comporta.tds.packet.MessageWriter;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionTest {
    private static final String FINAL = "DONE 0x0 cmd 0x0 count 0";
    private static final String CANCELLED = "DONE 0x2 cmd 0x0 count 0";
    private static final String ATTENTION = "DONE 0x20 cmd 0x0 count 0";

    private ScriptedServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer(Policy.NOT_SUPPORTED);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void loginIsAnsweredInTheOrderOfSqlServer() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.answerToLogin(login -> login.userName("sa")
                            .packetSize(8000)
                            .features(List.of(
                                    new FeatureExtension(FeatureExtension.SESSIONRECOVERY, new byte[0]),
                                    new FeatureExtension(FeatureExtension.UTF8_SUPPORT, new byte[] {1})))))
                    .containsExactly(
                            "ENVCHANGE 1 'AppDB' from 'master'",
                            "INFO 5701 state 2 class 0: Changed database context to 'AppDB'.",
                            "ENVCHANGE 7 of 5 bytes",
                            "ENVCHANGE 2 'us_english' from ''",
                            "INFO 5703 state 1 class 0: Changed language setting to us_english.",
                            "LOGINACK 0x74000004 Microsoft SQL Server",
                            "ENVCHANGE 4 '8000' from '4096'",
                            "FEATUREEXTACK 10",
                            FINAL);
            assertThat(client.spid()).isEqualTo(51);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 4096", "100, 512", "512, 512", "32767, 32767", "65535, 32767"})
    void packetSizeIsNegotiatedWithinItsBounds(int asked, String answered) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.answerToLogin(login -> login.userName("sa").packetSize(asked)))
                    .contains("ENVCHANGE 4 '" + answered + "' from '4096'");
        }
    }

    @ParameterizedTest
    @CsvSource({"V7_1, 0x71000001", "V7_2, 0x72090002", "V7_3A, 0x730a0003", "V7_3B, 0x730b0003", "V7_4, 0x74000004"})
    void eachVersionGetsItsOwnFormat(TdsVersion version, String acknowledged) throws Exception {
        try (RawClient client = new RawClient(server.port(), version)) {
            assertThat(client.answerToLogin("sa")).contains("LOGINACK " + acknowledged + " Microsoft SQL Server");
            assertThat(client.answerTo("rows 3"))
                    .containsExactly(
                            "COLMETADATA [n INTN, text NVARCHAR]",
                            "ROW [1, row 1]",
                            "ROW [2, row 2]",
                            (version.hasNullBitmapRows() ? "NBC" : "") + "ROW [3, null]",
                            "DONE 0x10 cmd 0xc1 count 3");
        }
    }

    @Test
    void refusedLoginIsToldWhyAndClosed() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.answerToLogin("nobody"))
                    .containsExactly(
                            "ERROR 18456 state 1 class 14: Login failed for user.", "DONE 0x2 cmd 0x0 count 0");
            assertThat(client.isHungUpOn()).isTrue();
        }
        assertThat(server.wire.counters(HandleCounts.NONE).failedLogins()).isEqualTo(1);
        assertThat(server.wire.counters(HandleCounts.NONE).logins()).isZero();
    }

    @Test
    void allButTheLastDoneSayThatMoreFollows() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("two"))
                    .containsExactly(
                            "COLMETADATA [n INTN, text NVARCHAR]",
                            "ROW [1, row 1]",
                            "DONE 0x11 cmd 0xc1 count 1",
                            "INFO 0 state 1 class 0: between",
                            "COLMETADATA [n INTN, text NVARCHAR]",
                            "ROW [1, row 1]",
                            "ROW [2, row 2]",
                            "DONE 0x10 cmd 0xc1 count 2");
        }
    }

    @Test
    void severalCallsInAMessageAreAnsweredOneAfterTheOther() throws Exception {
        RpcCall call = RpcCall.of(
                "answer",
                RpcParameter.of("@in", TypeInfo.intN(4), 1),
                RpcParameter.output("@out", TypeInfo.intN(4), null),
                RpcParameter.output("", TypeInfo.intN(4), null));
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo(call, call))
                    .containsExactly(
                            "RETURNSTATUS 7",
                            "RETURNVALUE 1 @out = 42",
                            "RETURNVALUE 2  = 42",
                            "DONEPROC 0x81 cmd 0xe0 count 0",
                            "RETURNSTATUS 7",
                            "RETURNVALUE 1 @out = 42",
                            "RETURNVALUE 2  = 42",
                            "DONEPROC 0x0 cmd 0xe0 count 0");
        }
        assertThat(server.wire.counters(HandleCounts.NONE).requests()).isEqualTo(2);
        assertThat(server.wire.counters(HandleCounts.NONE).roundTrips()).isEqualTo(1);
    }

    @Test
    void resetIsAcknowledgedBeforeAnythingElse() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("x", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTION))
                    .containsExactly("ENVCHANGE 18 '' from ''", FINAL);
            client.answerTo("y", AllHeaders.AUTOCOMMIT, PacketHeader.STATUS_RESETCONNECTIONSKIPTRAN);

            assertThat(server.sessions.getFirst().heard).containsExactly("reset false", "x", "reset true", "y");
            assertThat(server.wire.counters(HandleCounts.NONE).resets()).isEqualTo(2);
        }
    }

    @Test
    void attentionStopsWhatIsRunning() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            client.sendBatch("wait", AllHeaders.AUTOCOMMIT, 0);
            assertThat(server.sessions.getFirst().waiting.await(20, TimeUnit.SECONDS))
                    .isTrue();
            client.sendAttention();

            assertThat(client.tokens()).containsExactly(CANCELLED);
            assertThat(client.tokens()).containsExactly(ATTENTION);
            assertThat(client.answerTo("SELECT 1")).hasSize(3);
        }
    }

    @Test
    void whatIsFlushedArrivesBeforeTheResponseEnds() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            client.sendBatch("flush and wait", AllHeaders.AUTOCOMMIT, 0);
            assertThat(client.tokensOfPart())
                    .containsExactly(
                            "COLMETADATA [n INTN, text NVARCHAR]",
                            "ROW [1, row 1]",
                            "DONE 0x11 cmd 0xc1 count 1",
                            "INFO 0 state 1 class 0: now");

            client.sendAttention();
            assertThat(client.tokens()).containsExactly(CANCELLED);
            assertThat(client.tokens()).containsExactly(ATTENTION);
        }
    }

    @Test
    void attentionAnswersWhatWaitedBehindItToo() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            client.sendBatch("wait", AllHeaders.AUTOCOMMIT, 0);
            client.sendBatch("never run", AllHeaders.AUTOCOMMIT, 0);
            assertThat(server.sessions.getFirst().waiting.await(20, TimeUnit.SECONDS))
                    .isTrue();
            client.sendAttention();

            assertThat(client.tokens()).containsExactly(CANCELLED);
            assertThat(client.tokens()).containsExactly(CANCELLED);
            assertThat(client.tokens()).containsExactly(ATTENTION);
            assertThat(server.sessions.getFirst().heard).containsExactly("wait");
            assertThat(client.answerTo("x")).containsExactly(FINAL);
        }
    }

    @Test
    void attentionWithNothingRunningIsAcknowledgedToo() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            client.sendAttention();
            assertThat(client.tokens()).containsExactly(ATTENTION);
            assertThat(client.answerTo("x")).containsExactly(FINAL);
            client.sendAttention();
            assertThat(client.tokens()).containsExactly(ATTENTION);
            assertThat(server.wire.counters(HandleCounts.NONE).attentions()).isEqualTo(2);
        }
    }

    @Test
    void attentionInTheMiddleOfAMessageDropsIt() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            client.raw(new byte[] {PacketType.SQL_BATCH, 0, 0, 12, 0, 0, 1, 0, 'a', 'b', 'c', 'd'});
            client.sendAttention();

            assertThat(client.tokens()).containsExactly(ATTENTION);
            assertThat(client.answerTo("x")).containsExactly(FINAL);
            assertThat(server.sessions.getFirst().heard).containsExactly("x");
        }
    }

    @Test
    void messageThatItsSenderGaveUpIsNotCarriedOut() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            MessageWriter writer = client.writer();
            writer.begin(PacketType.SQL_BATCH).writeBytes(new byte[100]);
            writer.endIgnored();

            assertThat(client.tokens()).containsExactly("DONE 0x2 cmd 0x0 count 0");
            assertThat(server.sessions.getFirst().heard).isEmpty();
        }
    }

    @Test
    void requestHasToNameTheOpenTransaction() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("begin")).containsExactly("ENVCHANGE 8 18", "DONE 0x0 cmd 0xd4 count 0");
            assertThat(client.answerTo("x").getFirst()).startsWith("ERROR 3989 state 1 class 16");
            assertThat(client.answerTo("x", AllHeaders.inTransaction(99), 0).getFirst())
                    .isEqualTo("ERROR 3971 state 1 class 16: The server failed to resume the transaction. Desc:63.");
            assertThat(client.answerTo("commit", AllHeaders.inTransaction(18), 0))
                    .contains("ENVCHANGE 9 18");
            assertThat(client.answerTo("x", AllHeaders.inTransaction(18), 0).getFirst())
                    .startsWith("ERROR 3971");
            assertThat(client.answerTo("x")).containsExactly(FINAL);
        }
    }

    @Test
    void errorEndsTheStatementAndNotTheSession() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("fail"))
                    .containsExactly("ERROR 208 state 1 class 16: error 208", "DONE 0x2 cmd 0x0 count 0");
            assertThat(client.answerTo("bug").getFirst())
                    .startsWith("ERROR 50000 state 1 class 16: The stand-in failed");
            assertThat(client.answerTo("x")).containsExactly(FINAL);
        }
    }

    @Test
    void fatalErrorEndsTheSession() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("die").getFirst()).startsWith("ERROR 824 state 1 class 24");
            assertThat(client.isHungUpOn()).isTrue();
            assertThat(server.sessions.getFirst().closed.await(20, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void requestsThatAreSentAheadAreCarriedOutInTurn() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            for (int i = 0; i < 20; i++) {
                client.sendBatch("n" + i, AllHeaders.AUTOCOMMIT, 0);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.tokens()).containsExactly(FINAL);
            }
            assertThat(server.sessions.getFirst().heard)
                    .isEqualTo(IntStream.range(0, 20).mapToObj(i -> "n" + i).toList());
        }
    }

    @Test
    void clientThatLeavesInTheMiddleOfARequestEndsIt() throws Exception {
        RawClient client = RawClient.loggedIn(server.port());
        client.sendBatch("wait", AllHeaders.AUTOCOMMIT, 0);
        ScriptedSession session = server.sessions.getFirst();
        assertThat(session.waiting.await(20, TimeUnit.SECONDS)).isTrue();

        client.close();

        assertThat(session.closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void killedSessionDoesNotCountTogetherWithTheNextOfItsClient() throws Exception {
        try (RawClient killed = RawClient.loggedIn(server.port())) {
            ScriptedSession session = server.sessions.getFirst();
            session.mayClose = new CountDownLatch(1);
            server.wire.kill(killed.spid());
            assertThat(killed.isHungUpOn()).isTrue();
            try (RawClient next = RawClient.loggedIn(server.port())) {
                assertThat(next.answerTo("SELECT 1")).hasSize(3);
                assertThat(server.wire.counters(HandleCounts.NONE).sessionsOpen())
                        .isEqualTo(2);
                assertThat(server.wire.counters(HandleCounts.NONE).mostSessions())
                        .isEqualTo(1);
                session.mayClose.countDown();
                await().until(() -> server.wire.counters(HandleCounts.NONE).sessionsOpen() == 1);
            }
        }
    }

    @Test
    void clientThatDoesNotReadStopsItsRequestAndNotMore() throws Exception {
        int rows = 300_000;
        try (RawClient client = RawClient.loggedIn(server.port());
                RawClient other = RawClient.loggedIn(server.port())) {
            ScriptedSession session = server.sessions.getFirst();
            client.sendBatch("rows " + rows, AllHeaders.AUTOCOMMIT, 0);
            awaitStall(session, other);
            assertThat(session.rowsSent).isLessThan(rows);

            assertThat(client.tokens()).hasSize(rows + 2).endsWith("DONE 0x10 cmd 0xc1 count " + rows);
        }
    }

    /** Waits until a session has filled all buffers on the way to its client, and serves another client meanwhile. */
    private static void awaitStall(ScriptedSession session, RawClient other) {
        await().until(() -> {
            int before = session.rowsSent;
            // One answer could fall into a moment in which the first request only had no turn.
            for (int i = 0; i < 100; i++) {
                assertThat(other.answerTo("SELECT 1")).hasSize(3);
            }
            return before > 0 && session.rowsSent == before;
        });
    }

    @Test
    void attentionIsHeardWhileTheClientDoesNotRead() throws Exception {
        int rows = 300_000;
        try (RawClient client = RawClient.loggedIn(server.port());
                RawClient other = RawClient.loggedIn(server.port())) {
            client.sendBatch("rows " + rows, AllHeaders.AUTOCOMMIT, 0);
            awaitStall(server.sessions.getFirst(), other);
            client.sendAttention();
            await().until(() -> server.wire.counters(HandleCounts.NONE).attentions() == 1);

            assertThat(client.tokens()).hasSizeLessThan(rows).endsWith(CANCELLED);
            assertThat(client.tokens()).containsExactly(ATTENTION);
            assertThat(client.answerTo("x")).containsExactly(FINAL);
        }
    }

    @Test
    void attentionIsHeardByARequestThatCameBeforeTheOneBeforeItWasOver() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            // More rows than fit on the way, so that the second request finds the first still running.
            client.sendBatch("rows 300000", AllHeaders.AUTOCOMMIT, 0);
            client.sendBatch("wait", AllHeaders.AUTOCOMMIT, 0);
            client.tokens();
            assertThat(server.sessions.getFirst().waiting.await(20, TimeUnit.SECONDS))
                    .isTrue();
            client.sendAttention();

            assertThat(client.tokens()).containsExactly(CANCELLED);
            assertThat(client.tokens()).containsExactly(ATTENTION);
        }
    }
}
