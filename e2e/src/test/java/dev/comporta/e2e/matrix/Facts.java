package dev.comporta.e2e.matrix;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a driver found, in order. */
final class Facts {
    private final List<String> found = new ArrayList<>();

    void add(String name, @Nullable Object value) {
        found.add(name + "=" + Shown.value(value));
    }

    void add(String fact) {
        found.add(fact);
    }

    List<String> found() {
        return found;
    }
}
