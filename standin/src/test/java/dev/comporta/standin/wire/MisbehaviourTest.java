package dev.comporta.standin.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.standin.engine.HandleCounts;
import dev.comporta.tds.login.Encryption.Policy;
import dev.comporta.tds.request.AllHeaders;
import dev.comporta.testkit.RawClient;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MisbehaviourTest {
    private static final List<String> FINE = List.of("DONE 0x0 cmd 0x0 count 0");
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
    void slowServerAnswersLateAndStillHearsAnAttention() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            server.wire.misbehave(Misbehaviour.NONE.withSlow(Duration.ofMillis(150)));
            long start = System.nanoTime();
            assertThat(client.answerTo("x")).isEqualTo(FINE);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(150));

            server.wire.misbehave(Misbehaviour.NONE.withSlow(Duration.ofHours(1)));
            client.sendBatch("x", AllHeaders.AUTOCOMMIT, 0);
            client.sendAttention();
            assertThat(client.tokens()).containsExactly("DONE 0x2 cmd 0x0 count 0");
            assertThat(client.tokens()).containsExactly("DONE 0x20 cmd 0x0 count 0");
        }
    }

    @Test
    void slowLoginsTakeTheirTime() throws Exception {
        server.wire.misbehave(Misbehaviour.NONE.withSlowLogins(Duration.ofMillis(150)));
        long start = System.nanoTime();
        RawClient.loggedIn(server.port()).close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
    }

    @Test
    void refusedLoginsAreToldSo() throws Exception {
        server.wire.misbehave(Misbehaviour.NONE.withRefuseLogins(true));
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.answerToLogin("sa").getFirst()).startsWith("ERROR 18456 state 1 class 14");
            assertThat(client.isHungUpOn()).isTrue();
        }
        server.wire.misbehave(Misbehaviour.NONE);
        RawClient.loggedIn(server.port()).close();
        assertThat(server.wire.counters(HandleCounts.NONE).failedLogins()).isEqualTo(1);
        assertThat(server.wire.counters(HandleCounts.NONE).logins()).isEqualTo(1);
    }

    @Test
    void deadPortRefusesAndComesBackOnTheSamePort() throws Exception {
        int port = server.port();
        try (RawClient open = RawClient.loggedIn(port)) {
            server.wire.misbehave(Misbehaviour.NONE.withDeadPort(true));
            assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(ConnectException.class);
            assertThat(open.answerTo("x")).isEqualTo(FINE);

            server.wire.misbehave(Misbehaviour.NONE);
            assertThat(server.port()).isEqualTo(port);
            RawClient.loggedIn(port).close();
        }
    }

    @Test
    void droppedConnectionsAreAcceptedAndClosed() throws Exception {
        server.wire.misbehave(Misbehaviour.NONE.withDropConnections(true));
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.isHungUpOn()).isTrue();
        }
        await().untilAsserted(
                        () -> assertThat(server.wire.counters(HandleCounts.NONE).connections())
                                .isEqualTo(1));
    }

    @Test
    void serverThatStopsReadingAnswersWhenItReadsAgain() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            server.wire.misbehave(Misbehaviour.NONE.withStopReading(true));
            // What was being read when the reading stopped may still be answered.
            client.timeout(200);
            client.sendBatch("x", AllHeaders.AUTOCOMMIT, 0);
            client.sendBatch("y", AllHeaders.AUTOCOMMIT, 0);
            List<List<String>> answers = new ArrayList<>();
            assertThatThrownBy(() -> {
                        answers.add(client.tokens());
                        answers.add(client.tokens());
                    })
                    .isInstanceOf(SocketTimeoutException.class);

            server.wire.misbehave(Misbehaviour.NONE);
            client.timeout(20_000);
            while (answers.size() < 2) {
                answers.add(client.tokens());
            }
            assertThat(answers).containsOnly(FINE);
            assertThat(server.sessions.getFirst().heard).containsExactly("x", "y");
        }
    }

    @Test
    void garbageIsNoTds() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            server.wire.misbehave(Misbehaviour.NONE.withGarbage(true));
            client.sendBatch("x", AllHeaders.AUTOCOMMIT, 0);

            assertThat(client.read(1)).containsExactly(0x7F);
        }
    }

    @Test
    void responseIsCutAfterSoManyBytes() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            server.wire.misbehave(Misbehaviour.NONE.withCutAfter(1000));
            assertThat(client.answerTo("x")).as("a short response is not cut").isEqualTo(FINE);
            client.sendBatch("rows 10000", AllHeaders.AUTOCOMMIT, 0);

            assertThat(client.readToEnd()).hasSize(1000);
        }
        await().untilAsserted(
                        () -> assertThat(server.wire.counters(HandleCounts.NONE).sessionsOpen())
                                .isZero());
    }

    @Test
    void loginsBeyondTheRateAreRefused() throws Exception {
        server.wire.misbehave(Misbehaviour.NONE.withLoginsPerSecond(2));
        RawClient.loggedIn(server.port()).close();
        RawClient.loggedIn(server.port()).close();
        assertThat(server.wire.counters(HandleCounts.NONE).logins())
                .as("within the rate")
                .isEqualTo(2);
        // On a slow machine the next second may have begun.
        boolean refused = false;
        for (int i = 0; i < 50 && !refused; i++) {
            try (RawClient client = new RawClient(server.port())) {
                refused = client.answerToLogin("sa").getFirst().startsWith("ERROR 17189");
            }
        }
        assertThat(refused).isTrue();
    }

    @Test
    void silentTransactionsAreNeitherReportedNorDemanded() throws Exception {
        server.wire.misbehave(Misbehaviour.NONE.withSilentTransactions(true));
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(client.answerTo("begin")).containsExactly("DONE 0x0 cmd 0xd4 count 0");
            assertThat(client.answerTo("x")).isEqualTo(FINE);
        }
    }

    @Test
    void killedSessionIsGone() throws Exception {
        try (RawClient client = RawClient.loggedIn(server.port())) {
            assertThat(server.wire.kill(client.spid())).isTrue();
            assertThatThrownBy(client::response).isInstanceOf(EOFException.class);
            await().untilAsserted(() -> assertThat(
                            server.wire.counters(HandleCounts.NONE).sessionsOpen())
                    .isZero());
            assertThat(server.wire.kill(client.spid())).isFalse();
        }
    }

    @Test
    void countersKeepTheMostThatWereOpen() throws Exception {
        try (RawClient one = RawClient.loggedIn(server.port());
                RawClient two = RawClient.loggedIn(server.port())) {
            assertThat(one.spid()).isNotEqualTo(two.spid());
            assertThat(server.wire.counters(HandleCounts.NONE).sessionsOpen()).isEqualTo(2);
        }
        await().untilAsserted(
                        () -> assertThat(server.wire.counters(HandleCounts.NONE).sessionsOpen())
                                .isZero());
        assertThat(server.wire.counters(HandleCounts.NONE).mostSessions()).isEqualTo(2);
    }
}
