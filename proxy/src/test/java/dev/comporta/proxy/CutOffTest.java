package dev.comporta.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.Standin;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.RawClient;
import dev.comporta.tls.TlsContexts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server connection changes hands, so the proxy adds a reset to the request; the first packet of the response does not
 * acknowledge it, and another packet arrives in the same read. The connection must not be given to the next waiter: its
 * request would fail with 50003 although it was never sent.
 */
@Timeout(60)
class CutOffTest {
    private static final int UNAVAILABLE = 50003;

    /** DONE with DONE_ERROR: the request was cancelled before it began, so the reset was not done either. */
    private static final String CANCELLED_BEFORE_IT_BEGAN = "04 01 0015 0000 01 00 fd 0200 0000 0000000000000000";

    private static final String ATTENTION_ACKNOWLEDGED = "04 01 0015 0000 01 00 fd 2000 0000 0000000000000000";

    /** A response in two packets: DONE with DONE_MORE, then the final DONE. */
    private static final String FIRST_PACKET = "04 00 0015 0000 01 00 fd 0100 0000 0000000000000000";

    private static final String LAST_PACKET = "04 01 0015 0000 02 00 fd 0000 0000 0000000000000000";

    private Standin server;
    private ScriptedServer script;
    private Proxy proxy;
    private RawClient client;
    private RawClient bystander;

    @BeforeEach
    void aConnectionThatChangesHandsWhileSomebodyWaits() throws Exception {
        server = Standin.builder()
                .database("AppDB")
                .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                .start();
        script = new ScriptedServer(server.port());
        proxy = ProxyFixture.startProxy(
                new ServerDial("127.0.0.1", script.port(), ServerDial.Mode.OFF, TlsContexts.trustingClient()),
                BucketSpec.PoolMode.TRANSACTION,
                BucketSpec.TransactionTracking.AUTO,
                settings -> settings.maxConnections(1).minIdle(0));
        client = RawClient.loggedIn(proxy.port());
        bystander = RawClient.loggedIn(proxy.port());
        bystander.sendBatch("SELECT 1");
        assertThat(bystander.doneStatus() & DoneStatus.ERROR).isZero();
        script.takeOver();
        client.sendBatch("SELECT 1");
        assertThat(script.intercepted.take()).isEqualTo(PacketType.SQL_BATCH);
        bystander.sendBatch("SELECT 1");
        await().until(() -> proxy.glance("one").pool().waiting() == 1);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        bystander.close();
        proxy.close();
        script.close();
        server.close();
    }

    @Test
    void whoWaitsIsServedThoughARequestWasCancelledBeforeItBegan() throws Exception {
        client.sendAttention();
        assertThat(script.intercepted.take()).isEqualTo(PacketType.ATTENTION);

        script.respond(CANCELLED_BEFORE_IT_BEGAN + ATTENTION_ACKNOWLEDGED);

        assertThat(bystander.doneStatus() & DoneStatus.ERROR).isZero();
        assertThat(client.doneStatus()).isEqualTo(DoneStatus.ERROR);
        assertThat(client.doneStatus()).isEqualTo(DoneStatus.ATTN);
        assertThat(server.counters().logins())
                .as("whether it was reset is not known")
                .isEqualTo(2);
    }

    @Test
    void whoWaitsIsServedThoughAnAnswerIsCutOffInTheMiddle() throws Exception {
        script.respond(FIRST_PACKET + LAST_PACKET);

        assertThat(bystander.doneStatus() & DoneStatus.ERROR).isZero();
        assertThat(client.errorNumber()).isEqualTo(UNAVAILABLE);
        assertThat(server.counters().logins()).isEqualTo(2);
    }
}
