package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.login.ServerDial;
import dev.comporta.proxy.login.ServerDial.Server;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.names.Names;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.watch.News;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that fails over: its connections end, its port is closed for a while, and its name leads elsewhere. */
@Timeout(300)
class FailoverTest {
    private static final int LOGIN_FAILED = 18_456;
    private static final int SERVER_UNAVAILABLE = 50_003;
    private static final int QUEUE_TIMEOUT = 50_004;
    private static final int LIMIT = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<List<InetAddress>> addresses = new AtomicReference<>(List.of(loopback(2)));
    private final AtomicInteger lookups = new AtomicInteger();
    private final Counting news = new Counting();
    private Standin server;
    private CuttableRelay relay;

    private static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final class Counting implements News {
        final AtomicInteger downs = new AtomicInteger();
        final AtomicInteger ups = new AtomicInteger();
        /** Keeps the event loop busy while a login is refused. */
        volatile CountDownLatch busy = new CountDownLatch(0);

        final AtomicInteger refusals = new AtomicInteger();

        @Override
        public void bucketDown(String bucket, String reason) {
            downs.incrementAndGet();
        }

        @Override
        public void bucketUp(String bucket) {
            ups.incrementAndGet();
        }

        @Override
        public void loginRefused(String bucket, String login, String from, String message) {
            refusals.incrementAndGet();
            try {
                busy.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = startServer();
        relay = new CuttableRelay(loopback(2), 0, server.port());
    }

    private static Standin startServer() throws IOException {
        return startServer(like -> like);
    }

    private static Standin startServer(UnaryOperator<Standin.Builder> like) throws IOException {
        return like.apply(
                        Standin.builder().database("AppDB").database("Other").login(RawClient.USER, RawClient.PASSWORD))
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        relay.close();
        server.close();
        threads.close();
    }

    private Proxy proxy(List<Server> servers, UnaryOperator<BucketSettings.Builder> settings) throws IOException {
        return proxy(BucketSpec.PoolMode.TRANSACTION, servers, settings);
    }

    private Proxy proxy(BucketSpec.PoolMode mode, List<Server> servers, UnaryOperator<BucketSettings.Builder> settings)
            throws IOException {
        return ProxyFixture.startProxy(bucket(mode, servers, settings), news);
    }

    private BucketSpec bucket(
            BucketSpec.PoolMode mode, List<Server> servers, UnaryOperator<BucketSettings.Builder> settings) {
        Names names = host -> {
            lookups.incrementAndGet();
            return host.equals("db.test")
                    ? CompletableFuture.supplyAsync(addresses::get, threads)
                    : Names.SYSTEM.lookUp(host);
        };
        return ProxyFixture.bucket(
                new ServerDial(servers, ServerDial.Mode.OFF, null, names),
                mode,
                BucketSpec.TransactionTracking.AUTO,
                ClientLimits.NONE,
                settings);
    }

    private static UnaryOperator<BucketSettings.Builder> twoConnections(Duration patience) {
        return settings -> settings.maxConnections(2).minIdle(0).queue(new QueueSettings(patience, 100));
    }

    private static Connection connect(Proxy proxy, String options) throws SQLException {
        return Jdbc.mssql(
                proxy.port(),
                "loginTimeout=180;user=" + RawClient.USER + ";password=" + RawClient.PASSWORD + ";" + options);
    }

    /** With patience: on a loaded machine the first login takes long. */
    private static RawClient raw(Proxy proxy) throws IOException {
        RawClient client = new RawClient(proxy.port());
        client.timeout((int) PATIENCE.toMillis());
        client.sendLogin();
        client.response().release();
        return client;
    }

    private static BucketSnapshot pool(Proxy proxy) {
        return proxy.glance("one").pool();
    }

    @Test
    void clientsOutsideTransactionsSeeLatencyAndNoError() throws Exception {
        try (Proxy proxy = proxy(
                        List.of(new Server("db.test", relay.port(), "db.test")),
                        settings -> settings.maxConnections(LIMIT).minIdle(0).queue(new QueueSettings(PATIENCE, 100)));
                Connection running = connect(proxy, "");
                RawClient raw = raw(proxy)) {
            run(running, "CREATE TABLE notes (id INT)");
            List<Connection> resting = clients(proxy, 12);
            List<Connection> inTransaction = clients(proxy, 3);
            for (Connection client : inTransaction) {
                client.setAutoCommit(false);
                run(client, "INSERT INTO notes VALUES (-1)");
            }
            Future<String> cutOff = threads.submit(
                    () -> ask(running, "INSERT INTO notes VALUES (200); WAITFOR DELAY '00:05:00'; SELECT 1"));
            try (Connection watcher =
                    Jdbc.mssql(server.port(), "user=" + RawClient.USER + ";password=" + RawClient.PASSWORD)) {
                await().atMost(PATIENCE)
                        .until(() -> ask(watcher, "SELECT COUNT(*) FROM notes WHERE id = 200")
                                .equals("1"));
            }
            int port = relay.port();

            relay.close();
            List<Future<?>> waiting = new ArrayList<>();
            for (int i = 0; i < resting.size(); i++) {
                Connection client = resting.get(i);
                String insert = "INSERT INTO notes VALUES (" + i + ")";
                waiting.add(threads.submit(() -> {
                    run(client, insert);
                    return null;
                }));
            }
            raw.sendBatch("INSERT INTO notes VALUES (100)");
            // Nobody has logged in with this database before: the server has to be asked.
            Future<Connection> login = threads.submit(() -> connect(proxy, "databaseName=Other"));
            await().atMost(PATIENCE).until(() -> pool(proxy).waiting() == resting.size() + 2);
            await().atMost(PATIENCE).until(() -> pool(proxy).health().state() != HealthState.UP);
            long failures = pool(proxy).openFailures().get(OpenFailure.UNREACHABLE);
            await().atMost(PATIENCE)
                    .until(() -> pool(proxy).openFailures().get(OpenFailure.UNREACHABLE) >= failures + 3);
            await().atMost(PATIENCE).until(() -> server.counters().sessionsOpen() == 0);
            assertThat(waiting).noneMatch(Future::isDone);
            assertThat(login.isDone()).isFalse();

            addresses.set(List.of(loopback(3)));
            try (CuttableRelay _ = new CuttableRelay(loopback(3), port, server.port())) {
                for (Future<?> request : waiting) {
                    request.get();
                }
                assertThat(raw.doneStatus() & DoneStatus.ERROR).isZero();
                login.get().close();
                assertToldThatItMayHaveRun(cutOff);
                for (Connection client : inTransaction) {
                    assertThatThrownBy(client::commit).isInstanceOf(SQLException.class);
                    assertThat(client.isValid(5)).as("disconnected").isFalse();
                }
                assertEachRowOnce(resting.getFirst(), resting.size());
                assertThat(ask(running, "SELECT 5")).as("goes on").isEqualTo("5");
                assertThat(proxy.glance("one").server()).isEqualTo("db.test:" + port + " (127.0.0.3)");
            }
            await().until(() -> pool(proxy).health().state() == HealthState.UP);
            assertThat(news.downs).hasValue(1);
            assertThat(news.ups).hasValue(1);
            assertThat(server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT + 1); // and the watcher
            close(resting);
            close(inTransaction);
        }
    }

    private static List<Connection> clients(Proxy proxy, int count) throws SQLException {
        List<Connection> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(connect(proxy, ""));
            assertThat(ask(clients.getLast(), "SELECT 1")).isEqualTo("1");
        }
        return clients;
    }

    private static void close(List<Connection> clients) throws SQLException {
        for (Connection client : clients) {
            client.close();
        }
    }

    private static void assertToldThatItMayHaveRun(Future<String> request) {
        assertThatThrownBy(request::get).cause().isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getErrorCode()).isEqualTo(SERVER_UNAVAILABLE);
            assertThat(e.getMessage()).contains("may have taken effect or not");
        });
    }

    /** Those of the clients that waited, of the raw one, and of the one that was told that it may have run. */
    private static void assertEachRowOnce(Connection client, int waited) throws SQLException {
        assertThat(ask(client, "SELECT COUNT(*) FROM notes")).isEqualTo(Integer.toString(waited + 2));
        assertThat(ask(client, "SELECT COUNT(DISTINCT id) FROM notes")).isEqualTo(Integer.toString(waited + 2));
        assertThat(ask(client, "SELECT COUNT(*) FROM notes WHERE id = -1")).isEqualTo("0");
    }

    @Test
    void requestThatWaitsTooLongIsToldSinceWhenTheServerIsDown() throws Exception {
        List<Server> servers = List.of(new Server("db.test", relay.port(), "db.test"));
        try (Proxy proxy = proxy(servers, twoConnections(PATIENCE));
                Connection client = connect(proxy, "")) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            relay.close();
            await().until(() -> pool(proxy).idle() == 0);
            Future<String> waits = threads.submit(() -> ask(client, "SELECT 1"));
            await().atMost(PATIENCE).until(() -> pool(proxy).openFailures().get(OpenFailure.UNREACHABLE) > 0);
            proxy.reconfigure(bucket(BucketSpec.PoolMode.TRANSACTION, servers, twoConnections(Duration.ofSeconds(2))));
            assertThatThrownBy(waits::get).cause().isInstanceOfSatisfying(SQLException.class, e -> {
                assertThat(e.getErrorCode()).isEqualTo(QUEUE_TIMEOUT);
                assertThat(e.getMessage())
                        .contains("the server of bucket one, db.test:" + relay.port()
                                + " (127.0.0.2), has not answered since 20")
                        .contains("refused")
                        .contains("waited 2 s");
            });
        }
    }

    @Test
    void nameIsLookedUpAtEachConnect() throws Exception {
        try (Proxy proxy = proxy(
                        List.of(new Server("db.test", relay.port(), "db.test")),
                        settings -> settings.maxConnections(2).minIdle(0));
                Connection client = connect(proxy, "")) {
            int before = lookups.get();
            relay.cut();
            await().until(() -> pool(proxy).idle() == 0);
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(lookups.get()).isGreaterThan(before);
        }
    }

    @Test
    void nextServerIsUsedThoughTheFirstIsBackUntilTheOperatorReconnects() throws Exception {
        try (Standin partner = startServer();
                Proxy proxy = proxy(
                        List.of(
                                new Server("127.0.0.2", relay.port(), "a"),
                                new Server("localhost", partner.port(), "b")),
                        settings -> settings.maxConnections(2).minIdle(0));
                Connection client = connect(proxy, "")) {
            assertThat(proxy.glance("one").server()).isEqualTo("127.0.0.2:" + relay.port());
            int port = relay.port();
            relay.close();
            await().until(() -> pool(proxy).idle() == 0);
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(partner.counters().sessionsOpen()).isEqualTo(1);
            assertThat(proxy.glance("one").server()).startsWith("localhost:" + partner.port());
            assertThat(pool(proxy).health().downs()).isZero();

            relay = new CuttableRelay(loopback(2), port, server.port());
            long logins = server.counters().logins();
            connect(proxy, "databaseName=Other").close();
            assertThat(server.counters().logins())
                    .as("the first one is back, and not used")
                    .isEqualTo(logins);
            proxy.reconnect("one").get();
            await().until(() -> partner.counters().sessionsOpen() == 0);
            assertThat(ask(client, "SELECT 2")).isEqualTo("2");
            assertThat(server.counters().logins()).isGreaterThan(logins);
        }
    }

    @Test
    void serverThatRejectsAPasswordIsNotTakenForOneThatIsSilent() throws Exception {
        try (Standin partner = startServer();
                Proxy proxy = proxy(
                        List.of(
                                new Server("localhost", server.port(), "a"),
                                new Server("localhost", partner.port(), "b")),
                        settings -> settings.maxConnections(2).minIdle(0));
                Connection client = connect(proxy, "")) {
            assertThatThrownBy(() -> Jdbc.mssql(proxy.port(), "user=" + RawClient.USER + ";password=wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(LOGIN_FAILED));
            await().until(() -> pool(proxy).connections().size() == 1);

            try (Connection other = connect(proxy, "databaseName=Other")) {
                assertThat(ask(other, "SELECT 1")).isEqualTo("1");
            }
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(partner.counters().logins()).isZero();
            assertThat(proxy.glance("one").server()).startsWith("localhost:" + server.port());
        }
    }

    /** It would take the bytes of one value for those of another. */
    @Test
    void clientIsNotGivenTheAnswersOfAServerThatSpeaksAnotherVersion() throws Exception {
        try (Standin partner = startServer(like -> like.newestVersion(TdsVersion.V7_2));
                Proxy proxy = proxy(
                        List.of(
                                new Server("127.0.0.2", relay.port(), "a"),
                                new Server("localhost", partner.port(), "b")),
                        settings -> settings.maxConnections(2).minIdle(0));
                RawClient client = raw(proxy)) {
            assertThat(client.answerTo("SELECT 1")).contains("ROW [1]");
            relay.close();
            await().until(() -> pool(proxy).idle() == 0);
            assertThat(client.answerTo("SELECT 1")).first().asString().startsWith("ERROR 50003 ");
            assertThat(client.isHungUpOn()).isTrue();
            try (RawClient again = raw(proxy)) {
                assertThat(again.answerTo("SELECT 1")).contains("ROW [1]");
            }
        }
    }

    /** A login that names no database gets its default, which may be another on another server, or tomorrow. */
    @Test
    void clientIsNotMovedToAnotherDatabaseThanItWasToldOf() throws Exception {
        try (Proxy proxy = proxy(
                        List.of(new Server("127.0.0.2", relay.port(), "a")),
                        settings -> settings.maxConnections(2).minIdle(0));
                RawClient client = rawWithoutDatabase(proxy)) {
            assertThat(client.answerTo("SELECT DB_NAME()")).contains("ROW [AppDB]");
            server.engine().createLogin(RawClient.USER, RawClient.PASSWORD, "Other");
            relay.cut();
            await().until(() -> pool(proxy).idle() == 0);
            assertThat(client.answerTo("SELECT DB_NAME()")).first().asString().startsWith("ERROR 50003 ");
            assertThat(client.isHungUpOn()).isTrue();
            try (RawClient again = rawWithoutDatabase(proxy)) {
                assertThat(again.answerTo("SELECT DB_NAME()")).contains("ROW [Other]");
            }
        }
    }

    private static RawClient rawWithoutDatabase(Proxy proxy) throws IOException {
        RawClient client = new RawClient(proxy.port());
        client.answerToLogin(login -> login.userName(RawClient.USER)
                .password(Secret.ofText(RawClient.PASSWORD))
                .database(""));
        return client;
    }

    /** Those who came later know the new server only. */
    @Test
    void connectionToAServerOfBeforeIsNotGivenToWhoCameLater() throws Exception {
        try (Standin partner = startServer(like -> like.newestVersion(TdsVersion.V7_2));
                Proxy proxy = proxy(
                        List.of(
                                new Server("localhost", server.port(), "a"),
                                new Server("localhost", partner.port(), "b")),
                        settings -> settings.maxConnections(2).minIdle(0));
                RawClient first = raw(proxy);
                RawClient second = raw(proxy)) {
            assertThat(first.answerTo("BEGIN TRANSACTION")).isNotEmpty();
            server.misbehave(Misbehaviour.NONE.withDeadPort(true));
            assertThat(second.answerTo("SELECT 1")).first().asString().startsWith("ERROR 50003 ");
            try (RawClient third = raw(proxy);
                    RawClient fourth = raw(proxy)) {
                assertThat(third.answerTo("BEGIN TRANSACTION")).isNotEmpty();
                first.endOutput();
                await().until(() -> pool(proxy).idle() == 1);
                assertThat(fourth.answerTo("SELECT 4")).contains("ROW [4]");
                await().until(() -> server.counters().sessionsOpen() == 0);
            }
        }
    }

    @Test
    void loginInSessionModeIsNotAnsweredForAServerThatIsNoLongerThere() throws Exception {
        try (Standin partner = startServer(like -> like.newestVersion(TdsVersion.V7_2));
                Proxy proxy = proxy(
                        BucketSpec.PoolMode.SESSION,
                        List.of(
                                new Server("localhost", server.port(), "a"),
                                new Server("localhost", partner.port(), "b")),
                        settings -> settings.maxConnections(3).minIdle(0));
                RawClient first = raw(proxy)) {
            assertThat(first.answerTo("SELECT 1")).contains("ROW [1]");
            server.misbehave(Misbehaviour.NONE.withDeadPort(true));
            try (RawClient second = new RawClient(proxy.port())) {
                second.sendLogin();
                assertThat(second.tokens()).first().asString().startsWith("ERROR 50003 ");
            }
            try (RawClient third = raw(proxy)) {
                assertThat(third.answerTo("SELECT 3")).contains("ROW [3]");
            }
            assertThat(first.answerTo("SELECT 1")).as("goes on where it is").contains("ROW [1]");
        }
    }

    @Test
    void allAddressesOfANameAreTried() throws Exception {
        addresses.set(List.of(loopback(8), loopback(9), loopback(2)));
        try (Proxy proxy = proxy(
                        List.of(new Server("db.test", relay.port(), "db.test")),
                        settings -> settings.maxConnections(2).minIdle(0));
                Connection client = connect(proxy, "")) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(proxy.glance("one").server()).endsWith("(127.0.0.2)");
            assertThat(pool(proxy).openFailures().get(OpenFailure.UNREACHABLE)).isZero();
        }
    }

    @Test
    void serverThatDoesNotHaveTheDatabaseIsPassedOver() throws Exception {
        try (Standin mirror = withoutDatabase();
                Proxy proxy = proxy(
                        List.of(
                                new Server("127.0.0.1", mirror.port(), "a"),
                                new Server("127.0.0.2", relay.port(), "b")),
                        settings -> settings.maxConnections(2).minIdle(0));
                Connection client = connect(proxy, "")) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            assertThat(mirror.counters().failedLogins()).isEqualTo(1);
            assertThat(proxy.glance("one").server()).isEqualTo("127.0.0.2:" + relay.port());
        }
    }

    private static Standin withoutDatabase() throws IOException {
        return Standin.builder()
                .database("Other")
                .login(RawClient.USER, RawClient.PASSWORD)
                .start();
    }

    @Test
    void databaseThatIsNotReadyYetIsWaitedFor() throws Exception {
        int port = relay.port();
        try (Standin recovering = withoutDatabase();
                Proxy proxy = proxy(
                        List.of(new Server("db.test", port, "db.test")),
                        settings -> settings.maxConnections(2).minIdle(0).queue(new QueueSettings(PATIENCE, 100)));
                Connection client = connect(proxy, "");
                CuttableRelay started = new CuttableRelay(loopback(3), port, recovering.port());
                CuttableRelay recovered = new CuttableRelay(loopback(4), port, server.port())) {
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            addresses.set(List.of(loopback(3)));
            relay.close();
            await().until(() -> pool(proxy).idle() == 0);
            Future<String> request = threads.submit(() -> ask(client, "SELECT 2"));
            await().atMost(PATIENCE).until(() -> recovering.counters().failedLogins() >= 3);
            assertThat(request.isDone()).isFalse();
            assertThat(pool(proxy).health().downs()).isZero();
            addresses.set(List.of(loopback(4)));
            assertThat(request.get()).isEqualTo("2");
            assertThat(started.port()).isEqualTo(recovered.port());
        }
    }

    /**
     * The event loop finds the request and the end of the connection at the same time, the request first. What was
     * written then would be lost, and nobody could tell the client whether it has run.
     */
    @Test
    void requestIsNotSentOnAConnectionThatHasEndedUnnoticed() throws Exception {
        try (Proxy proxy = proxy(
                        List.of(new Server("db.test", relay.port(), "db.test")),
                        settings -> settings.maxConnections(4).minIdle(0));
                RawClient client = raw(proxy);
                RawClient stranger = new RawClient(proxy.port())) {
            client.sendBatch("SELECT 1");
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
            await().until(() -> pool(proxy).idle() == 1);
            long restsSince = System.nanoTime();
            news.busy = new CountDownLatch(1);
            stranger.sendLogin(TdsVersion.V7_4, "wrong");
            await().until(() -> news.refusals.get() == 1);
            await().until(() ->
                    System.nanoTime() - restsSince > Duration.ofMillis(20).toNanos());
            client.sendBatch("SELECT 2");
            relay.cut();
            news.busy.countDown();
            assertThat(client.doneStatus() & DoneStatus.ERROR).isZero();
        }
    }
}
