package dev.comporta.demo;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.console.DrainPlan;
import dev.comporta.demo.Demo.Branch;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.standin.Standin;
import dev.comporta.standin.control.Misbehaviour;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DemoTest {
    private static final Pattern JDBC_URL = Pattern.compile("jdbc:sqlserver:\\S+");
    private static final List<String> BUCKETS =
            Demo.BRANCHES.stream().map(Branch::bucket).toList();

    @Test
    void theUrlsItPrintsLeadToThreeServersThroughTheProxy() throws Exception {
        try (Demo demo = Demo.start(0, Misbehaviour.NONE)) {
            assertThat(demo.description())
                    .contains("in a browser: http://127.0.0.1:"
                            + demo.instance().healthPort() + "/" + System.lineSeparator());
            List<String> urls = JDBC_URL.matcher(demo.description())
                    .results()
                    .map(MatchResult::group)
                    .toList();
            List<String> answers = new ArrayList<>();
            for (String url : urls) {
                assertThat(url).contains(":" + demo.port() + ";");
                try (Connection connection = DriverManager.getConnection(url)) {
                    answers.add(ask(connection, "SELECT @@SERVERNAME + ' ' + DB_NAME()"));
                    assertThat(ask(connection, "SELECT COUNT(*) FROM customers"))
                            .isEqualTo("60");
                }
            }
            assertThat(answers).containsExactly("LISBOA Lisboa", "PORTO Porto", "FARO Faro");
            assertThat(demo.servers()).allMatch(server -> server.counters().logins() > 0);
        }
    }

    @Test
    void theLineShowsWhatTheProxyKnows() throws Exception {
        try (Demo demo = Demo.start(0, Misbehaviour.NONE)) {
            Figures before = Figures.of(demo.proxy(), BUCKETS);
            assertThat(before.line(before))
                    .isEqualTo("0 clients on 0 server connections, 0 requests/s, 0 waiting"
                            + " | lisboa 0/6, porto 0/4, faro 0/2");
            List<Connection> clients = new ArrayList<>();
            for (String database : List.of("Faro", "Faro", "Faro", "Lisboa")) {
                clients.add(DriverManager.getConnection(Demo.jdbcUrl(demo.port(), database)));
            }
            run(clients.get(0), "BEGIN TRANSACTION");
            run(clients.get(1), "BEGIN TRANSACTION");
            Thread waiter = Thread.ofVirtual().start(() -> {
                try {
                    run(clients.get(2), "SELECT 1");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> demo.proxy().glance("faro").pool().waiting() == 1);
            Figures now = Figures.of(demo.proxy(), BUCKETS);
            BucketLoop.Glance faro = demo.proxy().glance("faro");
            BucketLoop.Glance lisboa = demo.proxy().glance("lisboa");
            long requests =
                    faro.pool().traffic().queries() + lisboa.pool().traffic().queries();
            assertThat(requests).isPositive().isEqualTo(now.requests());
            long rate = Math.round(requests / ((now.takenNanos() - before.takenNanos()) / 1e9));
            assertThat(now.line(before))
                    .isEqualTo(String.format(
                            Locale.ROOT,
                            "4 clients on 3 server connections, %,d requests/s, 1 waiting"
                                    + " | lisboa 1/6, porto 0/4, faro 2/2",
                            rate));
            run(clients.get(0), "COMMIT");
            waiter.join();
            for (Connection client : clients) {
                client.close();
            }
        }
    }

    @Test
    void theLoadSharesTheConnectionsAndStopsCleanly() throws Exception {
        StringWriter shown = new StringWriter();
        try (Demo demo = Demo.start(0, Misbehaviour.NONE)) {
            Load load = Load.start(demo.port(), 30);
            Display display = Display.start(
                    () -> Figures.of(demo.proxy(), BUCKETS),
                    load::trouble,
                    new PrintWriter(shown),
                    false,
                    Duration.ofMillis(50));
            try {
                await().untilAsserted(() ->
                        assertThat(shown.toString().lines()).anyMatch(line -> line.startsWith("30 clients on ")));
                await().until(() -> Figures.of(demo.proxy(), BUCKETS).requests() > 200);
            } finally {
                display.close();
                load.close();
            }
            assertThat(load.trouble()).isEmpty();
            assertThat(demo.instance().drain(new DrainPlan(Duration.ZERO, Duration.ofSeconds(20))))
                    .isTrue();
            assertThat(Figures.of(demo.proxy(), BUCKETS).clients()).isZero();
            for (int index = 0; index < Demo.BRANCHES.size(); index++) {
                Standin server = demo.servers().get(index);
                assertThat(server.counters().mostSessions())
                        .isBetween(1, Demo.BRANCHES.get(index).maxConnections());
                assertThat(server.counters().rollbacksAtDisconnect()).isZero();
            }
        }
    }

    @Test
    void onATerminalTheLineIsWrittenOverItself() {
        StringWriter shown = new StringWriter();
        Figures figures = new Figures(0, 1, 2, 3, List.of());
        Display display = Display.start(() -> figures, () -> "", new PrintWriter(shown), true, Duration.ofMillis(1));
        String line = "\r1 clients on 0 server connections, 0 requests/s, 2 waiting\u001b[K";
        await().until(() -> shown.toString().startsWith(line + line));
        display.close();
        assertThat(shown.toString().replace(line, "")).isEqualTo(System.lineSeparator());
    }

    @Test
    void oneServerThatIsDownDoesNotHarmTheOthers() throws Exception {
        try (Demo demo = Demo.start(0, Misbehaviour.parse("refuse-logins"));
                Connection lisboa = DriverManager.getConnection(Demo.jdbcUrl(demo.port(), "Lisboa"))) {
            assertThat(ask(lisboa, "SELECT 1")).isEqualTo("1");
            assertThat(refusal(Demo.jdbcUrl(demo.port(), "Faro"))).isNotZero();
            assertThat(ask(lisboa, "SELECT 2")).isEqualTo("2");
            try (Connection porto = DriverManager.getConnection(Demo.jdbcUrl(demo.port(), "Porto"))) {
                assertThat(ask(porto, "SELECT 3")).isEqualTo("3");
            }
        }
    }

    @Test
    void aTakenPortIsSaidAndTheNextFreeOneUsed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Demo demo = Demo.start(taken.getLocalPort(), Misbehaviour.NONE)) {
            assertThat(demo.port()).isGreaterThan(taken.getLocalPort());
            assertThat(demo.description())
                    .startsWith("Port " + taken.getLocalPort() + " is taken; using " + demo.port() + " instead.");
        }
    }

    private static int refusal(String url) {
        try {
            DriverManager.getConnection(url).close();
            return 0;
        } catch (SQLException refused) {
            return refused.getErrorCode();
        }
    }
}
