package dev.comporta.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.comporta.e2e.TestServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every driver through every scenario. What a driver has no way to do is in the table of {@link Drivers}. */
class DriverMatrixTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static TestServer server;
    private static MatrixTables tables;

    @BeforeAll
    static void startServer() throws Exception {
        server = TestServer.start();
        tables = MatrixTables.create(server.target());
    }

    @AfterAll
    static void stopServer() throws Exception {
        tables.close();
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> matrix() {
        return Drivers.all().entrySet().stream().flatMap(entry -> tests(entry.getKey(), entry.getValue()));
    }

    private static Stream<DynamicTest> tests(Driver driver, Map<Scenario, String> unable) {
        return Arrays.stream(Scenario.values())
                .filter(scenario -> !unable.containsKey(scenario))
                .map(scenario -> DynamicTest.dynamicTest(
                        driver.name() + " › " + scenario.title(),
                        () -> assertTimeoutPreemptively(PATIENCE, () -> check(driver, scenario))));
    }

    private static void check(Driver driver, Scenario scenario) throws Exception {
        String table = tables.next();
        List<String> found = driver.play(scenario, server.target(), table);
        Traits traits = driver.traits();
        assertThat(scenario == Scenario.EVERY_TYPE ? EveryType.comparable(found, traits) : found)
                .containsExactlyElementsOf(scenario.facts(traits));
        assertThat(tables.contents(table)).isEqualTo(scenario.leaves());
    }
}
