package dev.comporta.app.recent;

import dev.comporta.pool.state.PinReason;
import java.util.Map;

/**
 * How full a bucket was.
 *
 * @param active server connections in use, the pinned ones among them
 * @param pins the pinned ones by reason; reasons that pinned none are not there
 */
public record Occupancy(
        int clients, int active, int idle, int pinned, int waiting, int limit, Map<PinReason, Integer> pins) {
    static final Occupancy NONE = new Occupancy(0, 0, 0, 0, 0, 0, Map.of());

    public Occupancy {
        pins = Map.copyOf(pins);
    }
}
