package dev.comporta.e2e.matrix;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a driver found, in order, and what else it showed on the way. */
final class Facts {
    private final List<String> found = new ArrayList<>();
    private final List<String> besides = new ArrayList<>();

    void add(String name, @Nullable Object value) {
        found.add(name + "=" + Shown.value(value));
    }

    void add(String fact) {
        found.add(fact);
    }

    /** What no scenario asks for, and what must still be the same on every way to the same server. */
    void addBesides(String shown) {
        besides.add(shown);
    }

    List<String> found() {
        return found;
    }

    List<String> besides() {
        return besides;
    }
}
