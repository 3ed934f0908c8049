package dev.comporta.app.api;

import dev.comporta.console.names.NearestName;
import java.util.Collection;

/** A suggestion for a message about an unknown name: the nearest known name, or all names if they are few. */
final class Hint {
    private static final int FEW = 50;

    private Hint() {}

    static String among(Collection<String> names, String typed) {
        return NearestName.among(names, typed)
                .map(nearest -> " Did you mean '" + nearest + "'?")
                .orElse(names.isEmpty() || names.size() > FEW ? "" : " There is: " + String.join(", ", names) + ".");
    }
}
