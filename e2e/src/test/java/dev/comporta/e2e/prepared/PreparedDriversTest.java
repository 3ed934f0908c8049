package dev.comporta.e2e.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.control.Counters;
import dev.comporta.testkit.RawClient;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two hundred clients of each driver that prepares, on five server connections: none keeps a connection for its prepared
 * statements, all get their turns, every answer is right, and the server prepares no more than it must.
 */
@Timeout(240)
class PreparedDriversTest {
    private static final int CLIENTS = 200;
    private static final int LIMIT = 5;

    /** mssql-jdbc prepares at the second execution, and executes by handle from the third on. */
    private static final int WARM_UP_ROUNDS = 3;

    private static final int ROUNDS = 10;
    private static final int ROWS = 3;

    /** Clients that take turns make the same number of rounds, but for how the machine schedules them. */
    private static final int MOST_ROUNDS = 3 * ROUNDS;

    private static final int PATIENCE_SECONDS = 45;

    enum Driver {
        MSSQL_JDBC("sqlserver", "", false),
        MSSQL_JDBC_PREPARING_AT_ONCE("sqlserver", "enablePrepareOnFirstPreparedStatementCall=true;", false),
        MSSQL_JDBC_PREPARING_APART("sqlserver", "prepareMethod=prepare;", false),
        MSSQL_JDBC_CACHING("sqlserver", "disableStatementPooling=false;statementPoolingCacheSize=10;", true),
        JTDS("jtds", "", false),
        FREETDS_ODBC("", "", false),
        TEDIOUS("", "", false);

        private final String jdbc;
        private final String options;
        private final boolean closesStatements;

        Driver(String jdbc, String options, boolean closesStatements) {
            this.jdbc = jdbc;
            this.options = options;
            this.closesStatements = closesStatements;
        }

        PreparedClients clients(PreparedPlace place) throws IOException {
            String login = "user=" + RawClient.USER + ";password=" + RawClient.PASSWORD + ";";
            return switch (jdbc) {
                case "sqlserver" ->
                    jdbc("jdbc:sqlserver://127.0.0.1:" + place.port()
                            + ";databaseName=AppDB;encrypt=false;trustServerCertificate=true;loginTimeout=120;"
                            + login);
                case "jtds" -> jdbc("jdbc:jtds:sqlserver://127.0.0.1:" + place.port() + "/AppDB;" + login);
                default ->
                    this == TEDIOUS
                            ? ProgramClients.tedious(place.proxied(), CLIENTS, PATIENCE_SECONDS)
                            : ProgramClients.odbc(place.proxied(), CLIENTS, PATIENCE_SECONDS);
            };
        }

        private PreparedClients jdbc(String url) {
            return new JdbcClients(url + options, closesStatements, CLIENTS, PATIENCE_SECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void preparedStatementsShareTheConnections(Driver driver) throws Exception {
        ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
        // A record of every touch of every buffer takes most of the time; other tests are there for leaks.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try (PreparedPlace place = PreparedPlace.open(LIMIT);
                PreparedClients clients = driver.clients(place)) {
            place.ask("CREATE TABLE written (client int NOT NULL, n int NOT NULL, PRIMARY KEY (client, n))");
            clients.connect();
            try {
                share(driver, place, clients);
            } catch (Exception e) {
                throw new AssertionError(
                        "pins: " + place.pins() + ", " + place.standin().counters(), e);
            }
        } finally {
            ResourceLeakDetector.setLevel(before);
        }
    }

    private static void share(Driver driver, PreparedPlace place, PreparedClients clients) throws Exception {
        clients.ask(WARM_UP_ROUNDS);
        place.standin().forgetMostSessions();
        Counters warm = place.standin().counters();
        long begun = System.nanoTime();
        PreparedClients.Rounds rounds = clients.ask(ROUNDS);
        Counters asked = place.standin().counters();
        System.out.printf(
                "%s: %s in %,d ms; %d prepares, %d resets, %d executions by handle%n",
                driver,
                rounds,
                (System.nanoTime() - begun) / 1_000_000,
                asked.prepares() - warm.prepares(),
                asked.resets() - warm.resets(),
                asked.handleExecutions() - warm.handleExecutions());
        assertThat(asked.handleExecutions() - warm.handleExecutions())
                .as("executions by handle: else nothing is proved")
                .isGreaterThanOrEqualTo((long) CLIENTS * ROUNDS * PreparedClients.STATEMENTS / 2);
        assertThat(asked.prepares() - warm.prepares())
                .as("prepares once warm")
                .isLessThanOrEqualTo((long) PreparedClients.STATEMENTS * LIMIT + asked.resets() - warm.resets());
        assertThat(rounds.most()).as("rounds of the fastest client").isLessThanOrEqualTo(MOST_ROUNDS);

        clients.write(ROWS);
        clients.leave();
        Counters after = place.standin().counters(); // before a connection of the test's own is counted
        assertThat(place.ask("SELECT COUNT(*), COUNT(DISTINCT client), SUM(n) FROM written"))
                .as("rows written once each")
                .isEqualTo(List.of("ROW [%d, %d, %d]".formatted(CLIENTS * ROWS, CLIENTS, CLIENTS * 3)));
        assertThat(place.pins()).as("pins for prepared statements").isZero();
        assertThat(after.mostSessions()).as("server connections").isEqualTo(LIMIT);
        assertThat(place.standin().engine().handles().firstUnknown())
                .as("handles that the server did not give to the session")
                .isEmpty();
    }
}
