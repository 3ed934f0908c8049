package dev.comporta.proxy.watch;

/**
 * A request in a bucket's queue at one moment.
 *
 * @param client its number; 0 for a login whose credentials the server has not judged yet
 * @param login whose limit and turn it takes
 * @param since when it entered the queue, in the bucket's time
 * @param deadline when it is refused, in the bucket's time
 */
public record WaiterSnapshot(long client, String login, long since, long deadline) {}
