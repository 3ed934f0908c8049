package dev.comporta.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.Instance;
import dev.comporta.e2e.LocalInstance;
import dev.comporta.e2e.Target;
import dev.comporta.e2e.TestServer;
import dev.comporta.standin.engine.ServerHabits;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The matrix on a server with the habits of Babelfish, in transaction mode: what a driver finds there by itself it finds
 * through the proxy, too. What it does not manage by itself counts for nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(DirectRun.Shared.class)
class BabelfishMatrixTest {
    private static final int MAX_CONNECTIONS = 5;

    /** The connection that makes the tables and looks into them goes past the proxy. */
    private static final int WITNESSES = 1;

    /** One of each client's versions is enough: the others differ in what the habits don't touch. */
    private static final Set<String> LEFT_OUT = Set.of("tsql TDS 7.2", "tsql TDS 7.3");

    /** Asks for the columns of a cursor with each fetch, believes them, and loses its place behind the first row. */
    private static final String MISLED_BY_CURSORS = "vertx-mssql-client";

    private TestServer server;
    private Instance instance;
    private DirectRun direct;
    private Stage proxied;

    @BeforeAll
    void start() throws Exception {
        server = TestServer.standin(ServerHabits.BABELFISH);
        Target target = server.target();
        instance = LocalInstance.start(
                "default_bucket: matrix", """
                buckets:
                  - id: matrix
                    host: %s
                    port: %d
                    max_connections: %d
                    pool_mode: transaction
                    encrypt: off
                """.formatted(target.host(), target.port(), MAX_CONNECTIONS));
        direct = DirectRun.on(TestServer.standin(ServerHabits.BABELFISH));
        proxied = Stage.on(
                server,
                new Target("127.0.0.1", instance.proxy().port(), target.user(), target.password(), target.database()));
    }

    @AfterAll
    void stop() throws Exception {
        try {
            await("clients have left")
                    .untilAsserted(
                            () -> assertThat(instance.proxy().glance("matrix").clients())
                                    .isZero());
            assertThat(server.counters().mostSessions()).isBetween(2, MAX_CONNECTIONS + WITNESSES);
        } finally {
            instance.close();
            proxied.close();
            server.close();
            direct.close();
        }
    }

    private static Stream<DynamicTest> tests(Stage.Trial trial) {
        return Stage.tests(
                driver -> driver.tls() == Tls.OFF && !LEFT_OUT.contains(driver.name()),
                BabelfishMatrixTest::isPlayable,
                trial);
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> direct() {
        return tests((driver, scenario) -> {
            Outcome outcome = direct.of(driver, scenario);
            assertThat(outcome.leaves()).isEqualTo(scenario.leaves());
            if (scenario != Scenario.EVERY_TYPE) {
                assertThat(outcome.found()).containsExactlyElementsOf(scenario.facts(driver.traits()));
            }
        });
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> proxied() {
        return tests((driver, scenario) -> {
            Outcome expected = direct.of(driver, scenario);
            Outcome found = proxied.play(driver, scenario);
            assertThat(found.found()).isEqualTo(expected.found());
            assertThat(found.leaves()).isEqualTo(expected.leaves());
        });
    }

    /** An attention is heard when the request is over: there is nothing to cancel. */
    private static boolean isPlayable(Driver driver, Scenario scenario) {
        boolean misled = scenario == Scenario.CURSOR && driver.name().equals(MISLED_BY_CURSORS);
        return scenario != Scenario.CANCELLED && !misled;
    }
}
