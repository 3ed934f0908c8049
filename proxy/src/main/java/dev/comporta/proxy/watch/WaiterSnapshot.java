package dev.comporta.proxy.watch;

/**
 * A request in a bucket's queue at one moment.
 *
 * @param client its number; 0 for a login whose credentials the server has not checked yet
 * @param login the login whose limit and turn in the queue it takes
 * @param since the time at which it entered the queue, in the bucket's time
 * @param deadline the time at which it is refused, in the bucket's time
 */
public record WaiterSnapshot(long client, String login, long since, long deadline) {}
