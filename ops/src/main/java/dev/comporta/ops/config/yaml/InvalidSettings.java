package dev.comporta.ops.config.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that contradict each other; thrown where a settings record is made, with every contradiction in it. */
public final class InvalidSettings extends IllegalArgumentException {
    /** @param keys the keys that contradict each other, relative to the record's section; first the key to report it at */
    public record Contradiction(List<String> keys, String what, String advice) {}

    private final transient List<Contradiction> contradictions;

    InvalidSettings(List<Contradiction> contradictions) {
        super(contradictions.stream()
                .map(found -> found.keys().getFirst() + ": " + found.what())
                .collect(Collectors.joining(" ")));
        this.contradictions = List.copyOf(contradictions);
    }

    public List<Contradiction> contradictions() {
        return contradictions;
    }
}
