package dev.comporta.e2e.sessions;

import dev.comporta.tds.TdsVersion;
import java.util.List;

/**
 * A session, to be played.
 *
 * @param client the key of its rows, and a part of all names that it gives
 * @param units requests that make sense together only: the shrinker leaves out whole ones
 */
record Script(int client, TdsVersion version, List<List<Step>> units) {
    Script {
        units = List.copyOf(units);
    }

    List<Step> steps() {
        return units.stream().flatMap(List::stream).toList();
    }

    Script with(List<List<Step>> others) {
        return new Script(client, version, others);
    }

    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder("session %d, TDS %s".formatted(client, version.number()));
        for (Step step : steps()) {
            shown.append("\n    ").append(step);
        }
        return shown.toString();
    }
}
