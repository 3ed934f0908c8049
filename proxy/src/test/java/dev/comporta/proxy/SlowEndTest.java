package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that takes its time to end the session behind a connection that was closed, as one with much to roll back: it
 * counts the session until then, and so does the limit, whatever the connection was closed for.
 */
@Timeout(60)
class SlowEndTest {
    /** Longer than a slot was once kept for such a server. */
    private static final Duration SLOW = Duration.ofMillis(1500);

    private static final Misbehaviour SLOW_ENDS = Misbehaviour.NONE.withSlowEnds(SLOW);
    /** Where a test looks at the connection that is closing: it does not end while the machine pauses for a moment. */
    private static final Misbehaviour VERY_SLOW_ENDS = Misbehaviour.NONE.withSlowEnds(SLOW.multipliedBy(4));

    private static final Duration SOON = Duration.ofMillis(100);

    private final CountDownLatch gate = new CountDownLatch(1);
    private ProxyFixture fixture;

    /** With one server connection. */
    private void start(ServerDial.Mode encryption, Misbehaviour misbehaviour) throws Exception {
        fixture = ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                encryption,
                server -> server.login("web", "Secret-2")
                        .encryption(
                                encryption == ServerDial.Mode.STRICT
                                        ? Standin.Encryption.STRICT
                                        : Standin.Encryption.OPTIONAL)
                        .procedure("wait_for_the_gate", _ -> waitForTheGate())
                        .windowsLogin("CORP\\ana", "Secret-2")
                        .misbehaviour(misbehaviour),
                settings -> settings.maxConnections(1).minIdle(0));
    }

    private int waitForTheGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    @AfterEach
    void stop() throws Exception {
        fixture.server.misbehave(Misbehaviour.NONE);
        gate.countDown();
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(ServerDial.Mode.class)
    void whenItsSlotIsNeededForAnotherLogin(ServerDial.Mode encryption) throws Exception {
        start(encryption, SLOW_ENDS);
        try (RawClient _ = RawClient.loggedIn(fixture.proxy.port());
                Connection other = fixture.connect("user=web;password=Secret-2")) {
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
        limitHeld();
    }

    @Test
    void whenItsClientVanishesHalfWayThroughARequest() throws Exception {
        start(ServerDial.Mode.LOGIN, SLOW_ENDS);
        try (Connection other = fixture.connect()) {
            try (RawClient half = RawClient.loggedIn(fixture.proxy.port())) {
                half.sendUnfinished("SELECT 1");
                await().until(() -> pool().active() == 1);
            }
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
        limitHeld();
    }

    @Test
    void whenItDoesNotAcknowledgeACancel() throws Exception {
        start(ServerDial.Mode.LOGIN, SLOW_ENDS);
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port());
                RawClient other = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch("EXEC wait_for_the_gate");
            await().until(() -> pool().active() == 1);
            fixture.server.misbehave(SLOW_ENDS.withStopReading(true));
            client.sendAttention();
            fixture.limits(cancelled(SOON));
            assertThat(client.isHungUpOn()).isTrue();
            fixture.limits(ClientLimits.NONE);
            assertThat(pool().count(ConnectionState.CLOSING)).isOne();
            fixture.server.misbehave(SLOW_ENDS);
            gate.countDown();
            other.sendBatch("SELECT 1");
            assertThat(other.doneStatus() & DoneStatus.ERROR).isZero();
        }
        limitHeld();
    }

    @Test
    void whenWhatItSaysMakesNoSense() throws Exception {
        start(ServerDial.Mode.LOGIN, VERY_SLOW_ENDS);
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port());
                RawClient other = RawClient.loggedIn(fixture.proxy.port())) {
            fixture.server.misbehave(VERY_SLOW_ENDS.withGarbage(true));
            client.sendBatch("SELECT 1");
            assertThat(client.errorNumber()).isEqualTo(50003);
            assertThat(pool().count(ConnectionState.CLOSING)).isOne();
            fixture.server.misbehave(VERY_SLOW_ENDS);
            other.sendBatch("SELECT 1");
            assertThat(other.doneStatus() & DoneStatus.ERROR).isZero();
        }
        limitHeld();
    }

    /** It has accepted the login, and does not answer what the proxy asks then. */
    @Test
    void whenItIsNotReadyInTime() throws Exception {
        start(ServerDial.Mode.LOGIN, SLOW_ENDS.withSlow(Duration.ofSeconds(50)));
        try (RawClient client = new RawClient(fixture.proxy.port())) {
            client.sendLogin();
            await().until(() -> fixture.server.counters().logins() == 1);
            fixture.settings(settings -> settings.connectionTimeout(SOON));
            assertThat(client.errorNumber()).isEqualTo(50003);
            fixture.settings(settings -> settings);
        }
        fixture.server.misbehave(SLOW_ENDS);
        try (Connection other = fixture.connect("user=web;password=Secret-2")) {
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
        limitHeld();
    }

    @Test
    void whenItsFirstAnswersMakeNoSense() throws Exception {
        start(ServerDial.Mode.LOGIN, VERY_SLOW_ENDS.withGarbage(true));
        try (RawClient client = new RawClient(fixture.proxy.port())) {
            client.sendLogin();
            assertThat(client.errorNumber()).isEqualTo(50003);
        }
        assertThat(pool().count(ConnectionState.CLOSING)).isOne();
        fixture.server.misbehave(VERY_SLOW_ENDS);
        try (Connection other = fixture.connect("user=web;password=Secret-2")) {
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
        limitHeld();
    }

    @Test
    void whenItIsAClientsOwn() throws Exception {
        start(ServerDial.Mode.LOGIN, SLOW_ENDS);
        try (Connection ana = fixture.connect(
                "integratedSecurity=true;authenticationScheme=NTLM;domain=CORP;user=ana;password=Secret-2")) {
            assertThat(ask(ana, "SELECT 1")).isEqualTo("1");
        }
        try (Connection other = fixture.connect()) {
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
        }
        limitHeld();
    }

    private void limitHeld() {
        assertThat(fixture.server.counters().logins())
                .as("sessions, one after the other")
                .isGreaterThan(1);
        assertThat(fixture.server.counters().mostSessions())
                .as("sessions that the server had at one time")
                .isOne();
    }

    private BucketSnapshot pool() {
        return fixture.proxy.glance("one").pool();
    }

    private static ClientLimits cancelled(Duration most) {
        return new ClientLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, most);
    }
}
