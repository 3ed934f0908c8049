package dev.comporta.app.recent;

/**
 * How full a bucket was.
 *
 * @param active server connections in use, the pinned ones among them
 */
public record Occupancy(int clients, int active, int idle, int pinned, int waiting, int limit) {
    static final Occupancy NONE = new Occupancy(0, 0, 0, 0, 0, 0);
}
