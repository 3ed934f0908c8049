package dev.comporta.lease;

import java.util.List;

/**
 * What the store answers.
 *
 * @param incarnation the one the store has in its books
 * @param granted slots granted so far to this incarnation
 * @param soft so many others want of the idle ones
 * @param hard so many must be given up, idle or not: the others have less than their share
 * @param limit the limit that rules: the lowest of those configured
 * @param version counts the changes of that limit
 * @param highestLimit the highest of those configured: the instances agree if it is the limit that rules
 * @param opensInMillis until then nothing is granted: the books were lost, and all who may live have time to say what
 *     they hold
 * @param fleet who has a lease
 */
record LeaseReply(
        Status status,
        long incarnation,
        long granted,
        int soft,
        int hard,
        int limit,
        long version,
        int highestLimit,
        long opensInMillis,
        List<Member> fleet) {
    enum Status {
        OK,
        /** The store does not know this incarnation: say hello as a new one. */
        AGAIN,
        /** A newer process has this instance's name. */
        SUPERSEDED
    }

    /**
     * An instance in the books of one bucket.
     *
     * @param leftMillis until its lease ends, unless it calls before
     */
    record Member(String instance, int held, int waiting, int idle, int limit, long leftMillis) {}
}
