package dev.comporta.app.recent;

import java.time.Instant;

/**
 * One look at a bucket, and how it did since the look before.
 *
 * @param requests answered since the bucket was added
 * @param failures since the look before
 */
public record Point(Instant at, long requests, RecentFigures figures, Failures failures, Occupancy occupancy) {}
