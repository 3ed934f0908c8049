package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static dev.comporta.testkit.PreparedCall.execute;
import static dev.comporta.testkit.PreparedCall.handleIn;
import static dev.comporta.testkit.PreparedCall.prepare;
import static dev.comporta.testkit.PreparedCall.prepareAndExecute;
import static dev.comporta.testkit.PreparedCall.unprepare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.prepared.PreparedSnapshot;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.RawClient;
import dev.comporta.testkit.Tokens;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server with enclaves acknowledges column encryption of version 2 or later. From then on every batch and call carries a
 * package for the enclave, if only an empty one; SqlClient asks for that version whether it uses enclaves or not.
 */
@Timeout(60)
class EnclaveTest {
    private ProxyFixture fixture;
    private RawClient client;
    private RawClient other;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                ServerDial.Mode.OFF,
                server -> server.columnEncryption(2),
                settings -> settings.maxConnections(1).minIdle(0));
        client = RawClient.loggedInForEnclaves(fixture.proxy.port());
        other = RawClient.loggedInForEnclaves(fixture.proxy.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        other.close();
        fixture.close();
    }

    @Test
    void settingsFollowTheirClientsOverOneConnection() throws Exception {
        client.answerTo("SET LOCK_TIMEOUT 1234");
        assertThat(other.answerTo("SELECT @@LOCK_TIMEOUT")).contains("ROW [-1]");
        assertThat(client.answerTo("SELECT @@LOCK_TIMEOUT")).contains("ROW [1234]");
    }

    @Test
    void aTransactionKeepsTheConnectionUntilItsEnd() throws Exception {
        AllHeaders inside = Tokens.inTransaction(client.answerTo("BEGIN TRANSACTION"));
        other.sendBatch("SELECT @@TRANCOUNT");
        await().until(() -> fixture.proxy.glance("one").pool().waiting() == 1);
        assertThat(client.answerTo("SELECT @@TRANCOUNT", inside, 0)).contains("ROW [1]");
        client.answerTo("COMMIT", inside, 0);
        assertThat(other.tokens()).contains("ROW [0]");
    }

    @Test
    void statementsAreExecutedByHandleAndByText() throws Exception {
        int first = handleIn(client.answerTo(prepare("SELECT 1")));
        int second = handleIn(other.answerTo(prepareAndExecute("SELECT 2")));
        assertThat(client.answerTo(execute(first))).contains("ROW [1]");
        assertThat(other.answerTo(execute(second), execute(second)))
                .filteredOn("ROW [2]"::equals)
                .hasSize(2);
        assertThat(client.answerTo(execute(first))).contains("ROW [1]");
        assertThat(prepared().asText())
                .as("and once the statement was prepared again")
                .isPositive();
        assertThat(fixture.server.counters().unknownHandles()).isZero();
    }

    @Test
    void whatIsUnpreparedIsForgotten() throws Exception {
        int byCall = handleIn(client.answerTo(prepare("SELECT 1")));
        int byText = handleIn(client.answerTo(prepare("SELECT 2")));
        assertThat(client.answerTo(unprepare(byCall)))
                .containsExactly("RETURNSTATUS 0", "DONEPROC 0x0 cmd 0xe0 count 0");
        assertThat(client.answerTo("EXEC sp_unprepare " + byText + ";")).contains("RETURNSTATUS 0");
        assertThat(prepared().texts()).isZero();
        List<String> gone = client.answerTo(execute(byCall));
        assertThat(gone).anyMatch(token -> token.startsWith("ERROR 8179"));
    }

    /** Without enclaves there are no packages, but columns are preceded by a table of keys: so from SQL Server 2016 on. */
    @Test
    void aServerWithoutEnclavesIsServedToo() throws Exception {
        try (ProxyFixture plain = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        ServerDial.Mode.OFF,
                        server -> server.columnEncryption(1),
                        settings -> settings.maxConnections(1).minIdle(0));
                Connection one = plain.connect("columnEncryptionSetting=Enabled");
                Connection another = plain.connect("columnEncryptionSetting=Enabled")) {
            run(one, "SET LOCK_TIMEOUT 1234");
            assertThat(ask(another, "SELECT @@LOCK_TIMEOUT")).isEqualTo("-1");
            assertThat(ask(one, "SELECT @@LOCK_TIMEOUT")).isEqualTo("1234");
        }
    }

    private PreparedSnapshot prepared() {
        return fixture.proxy.glance("one").prepared();
    }
}
