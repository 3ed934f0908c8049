package dev.comporta.jdbc.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.explore.Interleavings;
import dev.comporta.jdbc.explore.Interleavings.Scenario;
import dev.comporta.jdbc.explore.SteppedClasses;
import java.lang.reflect.Constructor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No order of steps loses a connection or a wake-up, or lends a connection twice. */
class HandOffTest {
    /** The second column is how often an actor may be preempted; three actors have many more orders than two. */
    @ParameterizedTest
    @CsvSource({
        "AReturnMeetsARequest, 3",
        "TwoRequestsMeetAtAParkedConnection, 3",
        "ThePeriodEndsWithAReturn, 3",
        "ThreeClientsShareTwoConnections, 2",
        "ClientsLookAgain, 2",
        "AnInterruptMeetsAReturn, 2",
        "ATimeoutMeetsAReturn, 3"
    })
    void nobodyIsForgottenWhateverTheOrder(String scenario, int preemptions) throws Exception {
        String inPackage = HandOffTest.class.getPackageName();
        ClassLoader stepped = new SteppedClasses(inPackage);
        Constructor<? extends Scenario> fresh = Class.forName(
                        inPackage + ".HandOffScenarios$" + scenario, true, stepped)
                .asSubclass(Scenario.class)
                .getDeclaredConstructor();
        fresh.setAccessible(true);
        int orders = Interleavings.explore(() -> make(fresh), preemptions);
        assertThat(orders).isGreaterThan(50);
    }

    private static Scenario make(Constructor<? extends Scenario> fresh) {
        try {
            return fresh.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
