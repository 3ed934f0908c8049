package dev.comporta.lease.store;

import java.util.List;

/**
 * The store's answer to a {@link LeaseCall}.
 *
 * @param incarnation the incarnation in the store's books
 * @param granted slots granted so far to this incarnation
 * @param soft how many slots of idle connections other instances want
 * @param hard how many slots must be given up, idle or not: other instances have less than their share
 * @param limit the limit in force: the lowest that is configured, unless a change at runtime overrides it
 * @param change the last change made to it at runtime
 * @param ownVersion the version that the caller's limit belongs to, see {@link LimitWord#version}
 * @param opensInMillis the time until slots are granted again: the books were lost, and all instances that may be alive get
 *     time to report what they hold
 * @param fleet the instances with a lease
 * @param proofAge how long before the call the instance sent the proof of life that this answer is based on, in units of
 *     the caller's clock: the lease counts from there. 0 if the call itself is that proof
 */
public record LeaseReply(
        Status status,
        long incarnation,
        long granted,
        int soft,
        int hard,
        int limit,
        LimitWord.Change change,
        long ownVersion,
        long opensInMillis,
        List<Member> fleet,
        long proofAge) {
    /** The same answer, based on an older proof. */
    public LeaseReply provenBefore(long age) {
        return new LeaseReply(
                status, incarnation, granted, soft, hard, limit, change, ownVersion, opensInMillis, fleet, age);
    }

    public enum Status {
        OK,
        /** The store does not know this incarnation: the instance must register as a new one. */
        AGAIN,
        /** A newer process has this instance's name. */
        SUPERSEDED
    }

    /**
     * An instance in the books of one bucket.
     *
     * @param limit as it is configured
     * @param leftMillis the time until its lease ends, unless it calls before
     */
    public record Member(String instance, int held, int waiting, int idle, int limit, long leftMillis) {}
}
