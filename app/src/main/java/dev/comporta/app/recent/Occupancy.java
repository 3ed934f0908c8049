package dev.comporta.app.recent;

import dev.comporta.pool.state.PinReason;
import java.util.Map;

/**
 * The use of a bucket's connections at a moment.
 *
 * @param active server connections in use, including the pinned ones
 * @param pins the pinned ones by reason, without reasons that pin none
 */
public record Occupancy(
        int clients, int active, int idle, int pinned, int waiting, int limit, Map<PinReason, Integer> pins) {
    static final Occupancy NONE = new Occupancy(0, 0, 0, 0, 0, 0, Map.of());

    public Occupancy {
        pins = Map.copyOf(pins);
    }
}
