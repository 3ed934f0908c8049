package dev.comporta.lease.store;

/**
 * What the store tells an instance without being asked.
 *
 * @param incarnation the one it is meant for
 * @param granted slots granted so far to this incarnation
 * @param soft so many others want of the idle ones
 * @param hard so many must be given up, idle or not
 */
public record Announcement(long incarnation, long granted, int soft, int hard) {}
