package dev.comporta.lease.store;

/**
 * A message from the store to an instance that is not an answer to a call.
 *
 * @param incarnation the incarnation that it is meant for
 * @param granted slots granted so far to this incarnation
 * @param soft how many slots of idle connections other instances want
 * @param hard how many slots must be given up, idle or not
 */
public record Announcement(long incarnation, long granted, int soft, int hard) {}
