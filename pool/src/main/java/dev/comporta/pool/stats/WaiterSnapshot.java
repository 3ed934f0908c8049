package dev.comporta.pool.stats;

/**
 * A request in the queue, or a login in its lane, at one moment. Times are in the bucket's own.
 *
 * @param client what the carrier called it
 * @param login whose limit and turn it takes
 * @param since when it entered the queue or the lane
 * @param deadline when it is refused
 */
public record WaiterSnapshot(Object client, String login, long since, long deadline) {}
