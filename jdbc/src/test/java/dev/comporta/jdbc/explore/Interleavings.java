package dev.comporta.jdbc.explore;

import java.util.List;
import java.util.function.Supplier;

/**
 * Runs a scenario in every order in which its actors can take their steps, up to a number of preemptions: an actor may lose the
 * turn that often while it could go on. Nearly all races need one or two. A step is an access to what threads share, in classes of
 * {@link SteppedClasses}, so accesses are taken to be sequentially consistent: right for what is volatile or atomic.
 */
public final class Interleavings {
    /** A few threads over some shared objects, made anew for each run. */
    public interface Scenario {
        List<Runnable> actors();

        /** After all actors have ended. */
        void verify() throws Exception;
    }

    private Interleavings() {}

    /**
     * @return how many orders there are
     * @throws AssertionError with the steps taken, if an actor fails, or none can go on
     */
    public static int explore(Supplier<? extends Scenario> scenarios, int mostPreemptions) throws Exception {
        int[] given = {};
        int runs = 0;
        while (true) {
            Scenario scenario = scenarios.get();
            Run run = new Run(scenario.actors(), given, mostPreemptions);
            List<Run.Choice> choices = run.execute();
            scenario.verify();
            runs++;
            int last = choices.size() - 1;
            while (last >= 0
                    && choices.get(last).taken() + 1 == choices.get(last).of()) {
                last--;
            }
            if (last < 0) {
                return runs;
            }
            given = new int[last + 1];
            for (int i = 0; i < last; i++) {
                given[i] = choices.get(i).taken();
            }
            given[last] = choices.get(last).taken() + 1;
        }
    }

    /** For an actor: interrupts the one with this number of its own run. */
    public static void interrupt(int number) {
        Actor self = Actor.current();
        if (self == null) {
            throw new IllegalStateException("not an actor");
        }
        self.step("interrupt");
        self.peer(number).interrupt();
    }
}
