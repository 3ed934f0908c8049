package dev.comporta.e2e.fleet;

import java.util.Random;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * The one number from which everything that a run leaves to chance is derived: what clients do, who is struck, when and
 * how. It is told when a test begins and when one fails; {@code -Dcomporta.seed=} gives the same run again, as far as the
 * machine's own timing allows.
 */
final class Seed implements BeforeEachCallback, TestExecutionExceptionHandler {
    private static final String PROPERTY = "comporta.seed";

    private final long value;

    private Seed(long value) {
        this.value = value;
    }

    /** The same in every run, unless another was given. */
    static Seed fixed() {
        return new Seed(Long.getLong(PROPERTY, 20_251_116L));
    }

    /** Another in every run, unless one was given. */
    static Seed fresh() {
        return new Seed(Long.getLong(PROPERTY, System.nanoTime() & 0xFFFF_FFFFL));
    }

    /** Chance for one purpose, independent of what other purposes draw. */
    Random chance(String purpose) {
        return new Random(value * 31 + purpose.hashCode());
    }

    private String told() {
        return "-D" + PROPERTY + "=" + value;
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        System.out.println(test.getDisplayName() + ": " + told());
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) {
        throw new AssertionError(failure.getMessage() + "\nAgain with " + told(), failure);
    }
}
