package dev.comporta.ops.config.yaml;

import dev.comporta.ops.config.yaml.InvalidSettings.Contradiction;
import java.util.ArrayList;
import java.util.List;

/** Checks the values of a settings record against each other, and reports all contradictions at once. */
public final class Consistency {
    private final List<Contradiction> found = new ArrayList<>();

    /** Takes the reason for a contradiction, and what to do about it. */
    public interface Reason {
        Consistency because(String what, String advice);
    }

    /** @param keys the keys that contradict each other if {@code contradictory}; first the key to report it at */
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
