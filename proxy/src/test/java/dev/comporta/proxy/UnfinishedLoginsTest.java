package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Windows logins that are begun and not finished: the server asks back, and waits with a connection for each. */
@Timeout(120)
class UnfinishedLoginsTest {
    private static final int LIMIT = 16;
    private static final int ATTACKERS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<RawClient> attackers = new ArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (RawClient attacker : attackers) {
            attacker.close();
        }
    }

    @Test
    void unfinishedLoginsLeaveConnectionsToClientsThatAreLoggedInAndToLoginsByPassword() throws Exception {
        try (ProxyFixture fixture = start();
                Connection good = fixture.connect()) {
            assertThat(ask(good, "SELECT 1")).isEqualTo("1");
            beginLogins(fixture);
            // Another pool, so that the server has to judge its password.
            try (Connection newcomer = fixture.connect("databaseName=Other;loginTimeout=30")) {
                assertThat(ask(newcomer, "SELECT 2")).isEqualTo("2");
                assertThat(ask(good, "SELECT 1")).isEqualTo("1");
            }
            assertThat(fixture.proxy.glance("one").pool().count(ConnectionState.PINNED))
                    .isBetween(1, LIMIT / 2);
        }
    }

    @Test
    void unfinishedLoginsKeepNoWindowsLoginOut() throws Exception {
        try (ProxyFixture fixture = start()) {
            beginLogins(fixture);
            assertThat(whoLogsIn(fixture)).isEqualTo("CORP\\ana");
        }
    }

    /** All of them would be cut off, and the next ones, too. */
    @Test
    void aServerThatTakesLongToJudgeKeepsNobodyOut() throws Exception {
        try (ProxyFixture fixture = start();
                ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            fixture.server.misbehave(Misbehaviour.NONE.withSlowLogins(Duration.ofMillis(4500)));
            List<Future<String>> logins = new ArrayList<>();
            for (int i = 0; i <= LIMIT / 2; i++) {
                logins.add(users.submit(() -> whoLogsIn(fixture)));
            }
            for (Future<String> login : logins) {
                assertThat(login.get()).isEqualTo("CORP\\ana");
            }
        }
    }

    private static String whoLogsIn(ProxyFixture fixture) throws SQLException {
        try (Connection ana = DriverManager.getConnection(
                "jdbc:jtds:sqlserver://127.0.0.1:" + fixture.proxy.port() + "/AppDB;domain=CORP;useNTLMv2=true",
                "ana",
                "Secret-2")) {
            return ask(ana, "SELECT SUSER_SNAME()");
        }
    }

    private void beginLogins(ProxyFixture fixture) throws IOException {
        byte[] negotiate = Arrays.copyOf("NTLMSSP\0\1".getBytes(StandardCharsets.ISO_8859_1), 32);
        int before = fixture.proxy.glance("one").clients();
        for (int i = 0; i < ATTACKERS; i++) {
            RawClient attacker =
                    RawClient.from(InetAddress.getByAddress(new byte[] {127, 1, 0, 1}), fixture.proxy.port());
            attackers.add(attacker);
            attacker.sendLogin(login ->
                    login.optionFlags2(Login7.FLAG2_INTEGRATED_SECURITY).sspi(Secret.ofBytes(negotiate.clone())));
        }
        await().until(() -> fixture.proxy.glance("one").clients() == before + ATTACKERS);
    }

    private static ProxyFixture start() throws IOException {
        return ProxyFixture.start(
                PoolMode.TRANSACTION,
                ServerDial.Mode.OFF,
                server -> server.windowsLogin("CORP\\ana", "Secret-2"),
                UnfinishedLoginsTest::settings);
    }

    private static BucketSettings.Builder settings(BucketSettings.Builder settings) {
        return settings.maxConnections(LIMIT)
                .minIdle(0)
                .queue(new QueueSettings(PATIENCE, 100))
                .connectRate(new ConnectRateSettings(1000, 200));
    }
}
