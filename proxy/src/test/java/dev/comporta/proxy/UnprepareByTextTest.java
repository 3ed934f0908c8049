package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.PreparedCall.handleIn;
import static dev.comporta.testkit.Tokens.inTransaction;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.engine.ServerHabits;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** mssql-jdbc unprepares statements and cursors by one batch, whenever enough are to go, in a transaction too. */
@Timeout(60)
class UnprepareByTextTest {
    @ParameterizedTest
    @EnumSource
    void aTransactionOutlivesABatchThatUnpreparesCursors(ServerHabits habits) throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        ServerDial.Mode.LOGIN,
                        server -> server.habits(habits),
                        settings -> settings.maxConnections(1).minIdle(0));
                RawClient client = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect()) {
            int cursor = handleIn(client.answerTo(prepare(SystemProcedure.CURSOR_PREPARE)));
            int statement = handleIn(client.answerTo(prepare(SystemProcedure.PREPARE)));
            client.answerTo("SET XACT_ABORT ON");
            AllHeaders inside = inTransaction(client.answerTo("BEGIN TRANSACTION"));
            String batch = "EXEC sp_cursorunprepare " + cursor + ";EXEC sp_unprepare " + statement + ";";
            assertThat(client.answerTo(batch, inside, 0))
                    .filteredOn(token -> !token.startsWith("DONEPROC"))
                    .containsExactly("RETURNSTATUS 0", "RETURNSTATUS 0");
            assertThat(client.answerTo("SELECT @@TRANCOUNT", inside, 0)).contains("ROW [1]");
            client.answerTo("COMMIT", inside, 0);

            assertThat(ask(other, "SELECT 1")).as("nothing pins the client").isEqualTo("1");
            assertThat(fixture.proxy.glance("one").prepared().texts()).isZero();
            // The cursor's procedure takes no statement, and nothing is given up twice.
            int another = handleIn(client.answerTo(prepare(SystemProcedure.PREPARE)));
            assertThat(client.answerTo("EXEC sp_cursorunprepare " + another + ";EXEC sp_cursorunprepare " + cursor))
                    .filteredOn(token -> token.startsWith("ERROR 8179"))
                    .hasSize(2);
        }
    }

    private static RpcCall prepare(int procedure) {
        return RpcCall.of(
                procedure,
                RpcParameter.output("", TypeInfo.intN(4), null),
                RpcParameter.of("", TypeInfo.nvarchar(4000), ""),
                RpcParameter.of("", TypeInfo.nvarchar(4000), "SELECT 1"),
                RpcParameter.of("", TypeInfo.intN(4), 1));
    }
}
