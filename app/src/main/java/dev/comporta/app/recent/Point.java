package dev.comporta.app.recent;

import java.time.Instant;

/**
 * A bucket's state at a moment, and its figures since the point before.
 *
 * @param requests requests answered since the bucket was added
 * @param failures since the point before
 */
public record Point(Instant at, long requests, RecentFigures figures, Failures failures, Occupancy occupancy) {}
