package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.tds.request.RpcCall;
import dev.comporta.tds.request.RpcParameter;
import dev.comporta.tds.type.TypeInfo;
import dev.comporta.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls whose names look like the server's own procedures, and are not. */
@Timeout(60)
class OddNamesTest {
    private ProxyFixture fixture;
    private RawClient one;
    private RawClient two;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(1);
        one = RawClient.loggedIn(fixture.proxy.port());
        two = RawClient.loggedIn(fixture.proxy.port());
    }

    @AfterEach
    void stop() throws Exception {
        one.close();
        two.close();
        fixture.close();
    }

    /** The text beside it proves nothing: only the server's own procedure runs nothing else. */
    @Test
    void aProcedureOfTheUsersOwnLeavesNothingToAnotherWhateverItsName() throws Exception {
        one.answerTo("CREATE PROCEDURE app.sp_executesql @stmt NVARCHAR(100) AS"
                + " EXEC sp_set_session_context N'tenant', N'seven'");
        RpcCall call = RpcCall.of("app.sp_executesql", RpcParameter.of("", TypeInfo.nvarchar(100), "SELECT 1"));
        String tenant = "SELECT CAST(SESSION_CONTEXT(N'tenant') AS NVARCHAR(20))";
        try (RawClient direct = RawClient.loggedIn(fixture.server.port())) {
            direct.answerTo(call);
            assertThat(direct.answerTo(tenant)).as("what the procedure leaves").contains("ROW [seven]");
        }
        one.answerTo("SET NOCOUNT ON");
        two.answerTo("SET NOCOUNT ON");
        assertThat(one.answerTo(call)).noneMatch(token -> token.startsWith("ERROR"));
        assertThat(two.answerTo(tenant)).contains("NBCROW [null]");
    }
}
