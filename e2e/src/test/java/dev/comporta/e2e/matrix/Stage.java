package dev.comporta.e2e.matrix;

import dev.comporta.e2e.ServerCertificate;
import dev.comporta.e2e.Target;
import dev.comporta.e2e.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;

/** A server with the scenarios' tables, and the way there. Plays may run at the same time. */
final class Stage implements AutoCloseable {
    /** A scenario takes a second or two; several at once on a busy machine take longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What is to be tried of a driver and a scenario. */
    @FunctionalInterface
    interface Trial {
        void run(Driver driver, Scenario scenario) throws Exception;
    }

    private final Target target;
    private final MatrixTables tables;

    private Stage(Target target, MatrixTables tables) {
        this.target = target;
        this.tables = tables;
    }

    /** @param target where drivers connect: the server, or what stands before it */
    static Stage on(TestServer server, Target target) throws Exception {
        return new Stage(target, MatrixTables.create(server.target()));
    }

    Outcome play(Driver driver, Scenario scenario) throws Exception {
        return play(driver, scenario, target);
    }

    /** @param way another way to the same server */
    Outcome play(Driver driver, Scenario scenario, Target way) throws Exception {
        String table = tables.next();
        Facts facts = driver.play(scenario, way, table);
        return Outcome.of(facts, table, tables.contents(table));
    }

    /** A test for each scenario of each driver that is wanted, as far as the driver has a way to play it. */
    static Stream<DynamicTest> tests(Predicate<Driver> wanted, Trial trial) {
        return tests(wanted, (driver, scenario) -> true, trial);
    }

    /** @param playable what a driver can play on the server at hand */
    static Stream<DynamicTest> tests(Predicate<Driver> wanted, BiPredicate<Driver, Scenario> playable, Trial trial) {
        return Drivers.all().entrySet().stream()
                .filter(entry -> wanted.test(entry.getKey()))
                .flatMap(entry -> tests(
                        entry.getKey(),
                        scenario -> !entry.getValue().containsKey(scenario) && playable.test(entry.getKey(), scenario),
                        trial));
    }

    private static Stream<DynamicTest> tests(Driver driver, Predicate<Scenario> playable, Trial trial) {
        return Arrays.stream(Scenario.values())
                .filter(playable)
                .map(scenario -> DynamicTest.dynamicTest(
                        driver.name() + " › " + scenario.title(),
                        () -> Assertions.assertTimeoutPreemptively(PATIENCE, () -> trial.run(driver, scenario))));
    }

    @Override
    public void close() throws SQLException {
        ServerCertificate.forget(target);
        tables.close();
    }
}
