package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.HealthState;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.TransactionTracking;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.testkit.PacketRelay;
import dev.comporta.testkit.PacketRelay.Verdict;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one login does is no harm to the others. */
@Timeout(60)
class LoginHealthTest {
    private static final int SERVER_UNAVAILABLE = 50_003;
    private static final int LOGIN_FAILED = 18_456;

    @Test
    void loginsThatTheServerAnswersByClosingHarmNobodyElse() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login(ProxyFixture.USER, ProxyFixture.PASSWORD)
                        .start();
                PacketRelay gate = new PacketRelay(
                        server.port(), (type, payload) -> closesOnLoginOf("unloved", type, payload, closed));
                Proxy proxy = ProxyFixture.startProxy(
                        new ServerDial("127.0.0.1", gate.port(), ServerDial.Mode.OFF, null),
                        PoolMode.TRANSACTION,
                        TransactionTracking.AUTO,
                        settings -> settings.maxConnections(3).minIdle(0));
                Connection good = connect(proxy, ProxyFixture.USER)) {
            for (int i = 0; i < 5; i++) {
                String user = "unloved" + i;
                assertThatThrownBy(() -> connect(proxy, user).close())
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(SERVER_UNAVAILABLE))
                        .hasMessageContaining("the server closed the connection during the login");
                assertThat(ask(good, "SELECT 1")).isEqualTo("1");
            }
            assertThat(closed).hasValueGreaterThanOrEqualTo(5);
            assertThat(proxy.glance("one").pool().health().state()).isEqualTo(HealthState.UP);
            assertThat(proxy.glance("one").pool().health().downs()).isZero();
            try (Connection another = connect(proxy, ProxyFixture.USER)) {
                assertThat(ask(another, "SELECT 2")).isEqualTo("2");
            }
        }
    }

    @Test
    void openConnectionsServeWhileTheServerTakesNoNewOnes() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(3);
                Connection client = fixture.connect()) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            fixture.settings(ProxyFixture::refusing);
            fixture.server.misbehave(Misbehaviour.NONE.withDeadPort(true));
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                assertThatThrownBy(() -> fixture.connect("databaseName=Other").close())
                        .isInstanceOf(SQLException.class);
                return health(fixture) != HealthState.UP;
            });
            assertThat(ask(client, "SELECT 2")).isEqualTo("2");
            fixture.server.misbehave(Misbehaviour.NONE);
        }
    }

    @Test
    void userWhoseLoginFailedWaitsBeforeTheNextIsJudged() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(3)) {
            assertRejected(fixture);
            long before = System.nanoTime();
            assertRejected(fixture);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(250));
            assertThat(fixture.server.counters().sessionsOpen()).isZero();
        }
    }

    private static Verdict closesOnLoginOf(String user, int type, byte[] payload, AtomicInteger closed) {
        if (type == PacketType.LOGIN7 && new String(payload, StandardCharsets.UTF_16LE).contains(user)) {
            closed.incrementAndGet();
            return new Verdict.HangUp();
        }
        return new Verdict.Pass();
    }

    private static void assertRejected(ProxyFixture fixture) {
        getsError(LOGIN_FAILED, () -> fixture.connect("password=wrong").close());
    }

    private static HealthState health(ProxyFixture fixture) throws Exception {
        return fixture.proxy.glance("one").pool().health().state();
    }

    private static Connection connect(Proxy proxy, String user) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + proxy.port()
                + ";databaseName=AppDB;encrypt=false;user=" + user + ";password=" + ProxyFixture.PASSWORD);
    }
}
