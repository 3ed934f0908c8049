package dev.comporta.e2e.fleet;

import java.io.IOException;

/** Where an instance finds Redis. */
interface WayToRedis {
    /** As in the configuration's {@code redis} section. */
    String settingsFor(String instance) throws IOException;
}
