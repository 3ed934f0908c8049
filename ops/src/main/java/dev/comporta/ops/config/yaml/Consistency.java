package dev.comporta.ops.config.yaml;

import dev.comporta.ops.config.yaml.InvalidSettings.Contradiction;
import java.util.ArrayList;
import java.util.List;

/** Checks the values of a settings record against each other, and tells all contradictions at once. */
public final class Consistency {
    private final List<Contradiction> found = new ArrayList<>();

    /** Why values contradict each other, and what to do. */
    public interface Reason {
        Consistency because(String what, String advice);
    }

    /** @param keys those that contradict each other when {@code contradictory}, the one to change first */
    public Reason refuse(boolean contradictory, String... keys) {
        return (what, advice) -> {
            if (contradictory) {
                found.add(new Contradiction(List.of(keys), what, advice));
            }
            return this;
        };
    }

    public void orThrow() {
        if (!found.isEmpty()) {
            throw new InvalidSettings(found);
        }
    }
}
