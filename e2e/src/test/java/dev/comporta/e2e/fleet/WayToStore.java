package dev.comporta.e2e.fleet;

import java.io.IOException;
import java.util.Map;

/** Where an instance finds the store of slots. */
interface WayToStore {
    /** The section of the configuration that describes it. */
    default String section() {
        return "redis";
    }

    /** As in that section. */
    String settingsFor(String instance) throws IOException;

    /** What the instance's process needs in its environment. */
    default Map<String, String> environment() {
        return Map.of();
    }
}
