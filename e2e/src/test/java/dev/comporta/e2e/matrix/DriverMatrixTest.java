package dev.comporta.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every driver through every scenario. What a driver has no way to do is in the table of {@link Drivers}. */
@ExtendWith(DirectRun.Shared.class)
class DriverMatrixTest {
    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> matrix(DirectRun direct) {
        return Stage.tests(driver -> true, (driver, scenario) -> {
            Outcome outcome = direct.of(driver, scenario);
            Traits traits = driver.traits();
            assertThat(
                            scenario == Scenario.EVERY_TYPE
                                    ? EveryType.comparable(outcome.found(), traits)
                                    : outcome.found())
                    .containsExactlyElementsOf(scenario.facts(traits));
            assertThat(outcome.leaves()).isEqualTo(scenario.leaves());
        });
    }
}
