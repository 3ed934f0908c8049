package dev.comporta.proxy;

import static dev.comporta.testkit.PreparedCall.execute;
import static dev.comporta.testkit.PreparedCall.handleIn;
import static dev.comporta.testkit.PreparedCall.prepare;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.Standin;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.RawClient;
import dev.comporta.testkit.Tokens;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that does not know a handle any more which it has given. Nothing has run then, and it answers so at once. */
@Timeout(60)
class LostHandleTest {
    /** ERROR 8179, state 1, class 16, without words; DONEPROC with an error. */
    private static final byte[] UNKNOWN = ByteBufUtil.decodeHexDump(
            "aa 0e00 f31f0000 01 10 0000 00 00 01000000 fe 0200 e000 0000000000000000".replace(" ", ""));

    private Standin server;
    private OddServer odd;
    private Proxy proxy;
    private RawClient client;

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
        client = RawClient.loggedIn(proxy.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        proxy.close();
        odd.close();
        server.close();
    }

    @Test
    void theStatementIsSentAgainAsTextAndTheClientSeesNothingOfIt() throws Exception {
        int handle = handleIn(client.answerTo(prepare("SELECT 7")));
        List<String> before = client.answerTo(execute(handle));
        odd.answerNextAtOnce(UNKNOWN);
        assertThat(client.answerTo(execute(handle))).isEqualTo(before);
        assertThat(odd.heard.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(client.answerTo(execute(handle))).isEqualTo(before);
    }

    @Test
    void aServerThatForgetsAgainAndAgainIsToldOf() throws Exception {
        int handle = handleIn(client.answerTo(prepare("SELECT 7")));
        assertThat(client.answerTo(execute(handle))).contains("ROW [7]");
        odd.answerAllAtOnce(UNKNOWN);
        assertThat(client.answerTo(execute(handle))).anyMatch(token -> token.startsWith("ERROR 8179 "));
        assertThat(odd.heard).as("sent twice, and no more").hasSize(2);
    }

    /** What a procedure has done without counting it does not show in the response: it must not be done again. */
    @Test
    void whatAProcedureHasDoneBeforeItMissesAHandleIsNotDoneTwice() throws Exception {
        client.answerTo("CREATE TABLE notes (id INT)");
        client.answerTo("CREATE PROCEDURE note AS SET NOCOUNT ON; INSERT INTO notes VALUES (1); EXEC sp_execute 999");
        int handle = handleIn(client.answerTo(prepare("EXEC note")));
        assertThat(client.answerTo(execute(handle))).first().asString().startsWith("ERROR 8179 ");
        assertThat(client.answerTo("SELECT COUNT(*) FROM notes")).contains("ROW [1]");
    }

    /** The server may have ended the transaction, and what the client did in it would be lost. */
    @Test
    void inATransactionItIsTheClientsToKnow() throws Exception {
        AllHeaders inside = Tokens.inTransaction(client.answerTo("BEGIN TRANSACTION"));
        int handle = handleIn(client.answerTo(inside, prepare("SELECT 7")));
        assertThat(client.answerTo(inside, execute(handle))).contains("ROW [7]");
        odd.answerNextAtOnce(UNKNOWN);
        assertThat(client.answerTo(inside, execute(handle))).anyMatch(token -> token.startsWith("ERROR 8179 "));
        assertThat(odd.heard).hasSize(1);
    }

    /** The error of a statement that has called another may have this number too: what ran has run. */
    @Test
    void anErrorAfterSomethingElseIsTheClientsToKnow() throws Exception {
        int handle = handleIn(client.answerTo(prepare("SELECT 7")));
        assertThat(client.answerTo(execute(handle))).contains("ROW [7]");
        byte[] after = ByteBufUtil.decodeHexDump("ff1100c100" + "0100000000000000" + ByteBufUtil.hexDump(UNKNOWN));
        odd.answerNextAtOnce(after);
        assertThat(client.answerTo(execute(handle))).anyMatch(token -> token.startsWith("ERROR 8179 "));
        assertThat(odd.heard).hasSize(1);
    }
}
