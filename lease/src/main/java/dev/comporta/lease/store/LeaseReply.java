package dev.comporta.lease.store;

import java.util.List;

/**
 * What the store answers.
 *
 * @param incarnation the one the store has in its books
 * @param granted slots granted so far to this incarnation
 * @param soft so many others want of the idle ones
 * @param hard so many must be given up, idle or not: the others have less than their share
 * @param limit the limit in force: the lowest that is configured, unless a change at runtime overrides it
 * @param change the last change made to it at runtime
 * @param ownVersion the change that what the caller says belongs to, see {@link LimitWord#version}
 * @param opensInMillis until then nothing is granted: the books were lost, and all who may live have time to say what
 *     they hold
 * @param fleet the instances with a lease
 * @param proofAge so long before the call was sent, in units of the caller's clock, it sent the proof of life that this answer
 *     rests on: the lease counts from there. 0 if the call itself is that proof
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
    /** The same, resting on an older proof. */
    public LeaseReply provenBefore(long age) {
        return new LeaseReply(
                status, incarnation, granted, soft, hard, limit, change, ownVersion, opensInMillis, fleet, age);
    }

    public enum Status {
        OK,
        /** The store does not know this incarnation: say hello as a new one. */
        AGAIN,
        /** A newer process has this instance's name. */
        SUPERSEDED
    }

    /**
     * An instance in the books of one bucket.
     *
     * @param limit as it is configured
     * @param leftMillis until its lease ends, unless it calls before
     */
    public record Member(String instance, int held, int waiting, int idle, int limit, long leftMillis) {}
}
