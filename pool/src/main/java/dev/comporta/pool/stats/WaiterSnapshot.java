package dev.comporta.pool.stats;

/**
 * A request in the queue, or a login in its lane, at one moment. Times are the bucket's.
 *
 * @param client the carrier's object for its client
 * @param login the login whose limit and turns it counts for
 * @param since when it entered the queue or the lane
 * @param deadline when it is refused
 */
public record WaiterSnapshot(Object client, String login, long since, long deadline) {}
