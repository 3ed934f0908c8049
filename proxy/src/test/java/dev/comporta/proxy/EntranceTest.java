package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.listen.EntranceRules;
import dev.comporta.proxy.listen.EntranceRules.ProxyProtocol;
import dev.comporta.proxy.listen.LoginLimits;
import dev.comporta.proxy.listen.RefusedConnections;
import dev.comporta.proxy.login.ClientLogin;
import dev.comporta.proxy.loop.BucketSpec.EntryRules;
import dev.comporta.proxy.origin.AddressRange;
import dev.comporta.proxy.origin.AddressRules;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.tds.login.Login7;
import dev.comporta.tds.login.Secret;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is let in by where it comes from, and how often it has tried. */
@Timeout(60)
class EntranceTest {
    private static final InetAddress BALANCER = InetAddress.ofLiteral("127.0.0.77");
    private static final InetAddress STRANGER = InetAddress.ofLiteral("127.0.0.66");
    private static final int NO_ROUTE = 50_002;
    private static final int LOGIN_FAILED = 18_456;

    private static byte[] header(String client) {
        return ("PROXY TCP4 " + client + " 203.0.113.7 33333 1433\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static EntranceRules behindBalancer(ProxyProtocol mode, AddressRules clients) {
        return new EntranceRules(mode, List.of(new AddressRange(BALANCER, 32)), clients);
    }

    private static ProxyFixture start(EntranceRules rules) throws IOException {
        return ProxyFixture.start(rules, LoginLimits.DEFAULTS, EntryRules.DEFAULTS);
    }

    private static List<String> addresses(Proxy proxy) {
        return proxy.details(Duration.ofSeconds(10)).get("one").clients().stream()
                .map(ClientSnapshot::address)
                .toList();
    }

    private static List<String> logIn(RawClient client) throws IOException {
        client.sendLogin();
        return client.tokens();
    }

    @Test
    void clientIsKnownByTheAddressThatItsLoadBalancerTells() throws Exception {
        try (ProxyFixture fixture = start(behindBalancer(ProxyProtocol.REQUIRED, AddressRules.EVERYBODY));
                RawClient client = RawClient.from(BALANCER, fixture.proxy.port())) {
            client.raw(header("198.51.100.5"));
            client.sendLogin();
            client.response();
            assertThat(addresses(fixture.proxy)).containsExactly("198.51.100.5:33333");
        }
    }

    @Test
    void tlsBeginsBehindTheHeader() throws Exception {
        try (ProxyFixture fixture = start(behindBalancer(ProxyProtocol.OPTIONAL, AddressRules.EVERYBODY));
                RawClient strict = RawClient.loggedInByTls(BALANCER, fixture.proxy.port(), header("198.51.100.5"))) {
            assertThat(addresses(fixture.proxy)).containsExactly("198.51.100.5:33333");
            assertThat(strict.answerTo("SELECT 1")).contains("ROW [1]");
        }
    }

    @Test
    void headerOfAStrangerClosesItsConnectionAndDriversBesideItAreServed() throws Exception {
        try (ProxyFixture fixture = start(behindBalancer(ProxyProtocol.OPTIONAL, AddressRules.EVERYBODY));
                Connection driver = fixture.connect();
                RawClient stranger = RawClient.from(STRANGER, fixture.proxy.port())) {
            stranger.raw(header("198.51.100.5"));
            assertThat(stranger.isHungUpOn()).isTrue();
            assertThat(ask(driver, "SELECT 1")).isEqualTo("1");
            assertThat(fixture.proxy.refusedConnections()).containsEntry("untrusted_proxy_header", 1L);
            assertThat(addresses(fixture.proxy)).hasSize(1);
        }
    }

    @Test
    void whereAHeaderIsRequiredStrangersAreClosedAtOnce() throws Exception {
        try (ProxyFixture fixture = start(behindBalancer(ProxyProtocol.REQUIRED, AddressRules.EVERYBODY));
                RawClient stranger = RawClient.from(STRANGER, fixture.proxy.port())) {
            assertThat(stranger.isHungUpOn()).isTrue();
            assertThat(fixture.proxy.refusedConnections()).containsEntry("untrusted_source", 1L);
        }
    }

    @Test
    void loadBalancerThatLooksWhetherSomebodyListensLeavesNoLine() throws Exception {
        try (ProxyFixture fixture = start(behindBalancer(ProxyProtocol.REQUIRED, AddressRules.EVERYBODY));
                LogLines logins = new LogLines(ClientLogin.class);
                LogLines refused = new LogLines(RefusedConnections.class)) {
            List<Integer> ports = new ArrayList<>();
            for (boolean reset : new boolean[] {true, false, true, false}) {
                try (Socket check = new Socket()) {
                    check.bind(new InetSocketAddress(BALANCER, 0));
                    check.connect(new InetSocketAddress("127.0.0.1", fixture.proxy.port()));
                    ports.add(check.getLocalPort());
                    if (reset) {
                        check.setSoLinger(true, 0);
                    }
                }
            }
            // Whoever comes after them is served after them, by the same loop: connections go to the two in turns.
            for (int i = 0; i < 2; i++) {
                try (RawClient client = RawClient.from(BALANCER, fixture.proxy.port())) {
                    client.raw(header("198.51.100.5"));
                    client.sendLogin();
                    client.response();
                }
            }
            assertThat(fixture.proxy.refusedConnections().values()).containsOnly(0L);
            for (int port : ports) {
                assertThat(logins.lines()).noneMatch(line -> line.contains(":" + port));
            }
            assertThat(refused.lines()).noneMatch(line -> line.contains(BALANCER.getHostAddress()));
        }
    }

    @Test
    void deniedAddressIsClosedBeforeItsLogin() throws Exception {
        AddressRules not = new AddressRules(List.of(), List.of(new AddressRange(STRANGER, 32)));
        try (ProxyFixture fixture = start(new EntranceRules(ProxyProtocol.OFF, List.of(), not));
                RawClient denied = RawClient.from(STRANGER, fixture.proxy.port());
                Connection other = fixture.connect()) {
            assertThat(denied.isHungUpOn()).isTrue();
            assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            assertThat(fixture.proxy.refusedConnections()).containsEntry("denied", 1L);
        }
    }

    @Test
    void bucketRefusesAddressesAtTheLoginAndTheListCanChange() throws Exception {
        AddressRules only = new AddressRules(List.of(new AddressRange(STRANGER, 32)), List.of());
        EntryRules rules = new EntryRules(only, 8, Duration.ofMinutes(10));
        try (ProxyFixture fixture = ProxyFixture.start(EntranceRules.OPEN, LoginLimits.DEFAULTS, rules)) {
            assertThatThrownBy(fixture::connect)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(NO_ROUTE))
                    .hasMessageContaining("address is not allowed for bucket one")
                    .hasMessageNotContaining(STRANGER.getHostAddress());
            assertThat(fixture.server.counters().connections()).isZero();
            try (RawClient allowed = RawClient.from(STRANGER, fixture.proxy.port())) {
                assertThat(logIn(allowed)).anyMatch(token -> token.startsWith("LOGINACK"));
            }
            fixture.entry(EntryRules.DEFAULTS);
            try (Connection now = fixture.connect()) {
                assertThat(ask(now, "SELECT 1")).isEqualTo("1");
            }
            assertThat(fixture.proxy.refusedConnections().get("denied_by_bucket"))
                    .isPositive();
        }
    }

    @Test
    void addressHasNoMoreClientsThanItMay() throws Exception {
        LoginLimits two = new LoginLimits(100, 0, 1 << 20, 2, 0);
        try (ProxyFixture fixture = ProxyFixture.start(EntranceRules.OPEN, two, EntryRules.DEFAULTS);
                RawClient loggedIn = RawClient.from(STRANGER, fixture.proxy.port())) {
            logIn(loggedIn);
            RawClient pending = RawClient.from(STRANGER, fixture.proxy.port());
            try (RawClient third = RawClient.from(STRANGER, fixture.proxy.port());
                    Connection other = fixture.connect()) {
                assertThat(third.isHungUpOn()).isTrue();
                assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            }
            assertThat(fixture.proxy.refusedConnections()).containsEntry("too_many_from_address", 1L);
            pending.close();
            await().until(() -> {
                try (RawClient again = RawClient.from(STRANGER, fixture.proxy.port())) {
                    return logIn(again).stream().anyMatch(token -> token.startsWith("LOGINACK"));
                } catch (IOException | UncheckedIOException closed) {
                    return false;
                }
            });
        }
    }

    @Test
    void guessesFromEverywhereDoNotUseUpTheServersPatienceAndKeepNoGoodPasswordOut() throws Exception {
        EntryRules three = new EntryRules(AddressRules.EVERYBODY, 3, Duration.ofMinutes(10));
        try (ProxyFixture fixture = ProxyFixture.start(EntranceRules.OPEN, LoginLimits.DEFAULTS, three);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            fixture.connect().close();
            List<Callable<Integer>> guesses = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                int number = i;
                guesses.add(() -> guess(fixture, number));
            }
            for (Future<Integer> guess : threads.invokeAll(guesses)) {
                assertThat(guess.get()).isEqualTo(LOGIN_FAILED);
            }
            assertThat(fixture.server.counters().failedLogins()).isEqualTo(3);
            assertThat(fixture.proxy.refusedConnections().get("too_many_failed_logins"))
                    .isPositive();
            // Not known to the pool, which has another database: the server is asked.
            try (Connection good = fixture.connect("databaseName=Other")) {
                assertThat(ask(good, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    /** Every third by way of a changed password, which takes another way to the server. */
    private static int guess(ProxyFixture fixture, int number) throws IOException {
        InetAddress from = InetAddress.getByAddress(new byte[] {127, 2, 0, (byte) (number + 1)});
        try (RawClient client = RawClient.from(from, fixture.proxy.port())) {
            client.sendLogin(login -> {
                login.userName(RawClient.USER).password(Secret.ofText("guess" + number));
                return number % 3 == 0
                        ? login.optionFlags3(Login7.FLAG3_CHANGE_PASSWORD).changePassword(Secret.ofText("Mine-1"))
                        : login;
            });
            return client.errorNumber();
        }
    }

    @Test
    void handshakesThatWaitForSilentOnesAreServedInTime() throws Exception {
        LoginLimits two = new LoginLimits(1000, 0, 1 << 24, 0, 2); // one for each loop
        try (ProxyFixture fixture = ProxyFixture.start(EntranceRules.OPEN, two, EntryRules.DEFAULTS);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<RawClient> silent = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RawClient client = RawClient.from(STRANGER, fixture.proxy.port());
                client.raw(new byte[] {0x16}); // the beginning of TLS, and no more
                silent.add(client);
            }
            List<Callable<String>> drivers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boolean strict = i % 2 == 0;
                drivers.add(() -> {
                    if (strict) {
                        try (RawClient client = RawClient.loggedInByTls(fixture.proxy.port())) {
                            return client.answerTo("SELECT 1").contains("ROW [1]") ? "1" : "";
                        }
                    }
                    try (Connection client = Jdbc.mssql(
                            fixture.proxy.port(),
                            "encrypt=true;loginTimeout=30;user=" + RawClient.USER + ";password="
                                    + RawClient.PASSWORD)) {
                        return ask(client, "SELECT 1");
                    }
                });
            }
            for (Future<String> driver : threads.invokeAll(drivers)) {
                assertThat(driver.get()).isEqualTo("1");
            }
            for (RawClient client : silent) {
                client.close();
            }
        }
    }

    @Test
    void loginsAreBoundedByLoginTimeoutAlsoWhileTheyWaitForTheHeader() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.startWithLoginTimeout(
                        behindBalancer(ProxyProtocol.REQUIRED, AddressRules.EVERYBODY), Duration.ofMillis(300));
                RawClient slow = RawClient.from(BALANCER, fixture.proxy.port())) {
            slow.raw("PROXY".getBytes(StandardCharsets.US_ASCII));
            assertThat(slow.isHungUpOn()).isTrue();
        }
    }
}
