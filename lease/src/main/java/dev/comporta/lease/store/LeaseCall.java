package dev.comporta.lease.store;

/**
 * What an instance tells the store about itself in one bucket. All amounts are totals of this incarnation, never
 * differences: a call that is lost, comes twice, or comes late does no harm.
 *
 * @param form what the store is to do with it
 * @param incarnation counts up with every start of the process, and whenever an instance must say anew what it holds
 * @param seq orders the calls of one incarnation: one that was overtaken changes nothing
 * @param acked the latest of them that was answered: a store that knows less has lost writes
 * @param seen slots granted so far, as far as this instance knows
 * @param returned slots given back so far
 * @param asked what {@code seen} must become for all who stand in line to be served
 * @param atOnce so many beyond that, if they are free now
 * @param idle connections that nobody has used for a while
 * @param limit what this instance says of the bucket's limit
 * @param fleet how many instances there may be, as far as this one knows
 * @param sentAt this instance's own clock, which the lease is measured by: it starts when the call is sent, not when
 *     it is answered
 */
public record LeaseCall(
        Form form,
        long incarnation,
        long seq,
        long acked,
        long seen,
        long returned,
        long asked,
        int atOnce,
        int idle,
        LimitWord limit,
        int fleet,
        long sentAt) {
    public enum Form {
        /** First call of an instance that was never here: if there are no books, they were not lost, there were none. */
        JOIN,
        /** First call of an incarnation: this is what I hold. */
        HELLO,
        /** Any call after it. */
        SYNC,
        /** Last call: what I hold is free. */
        BYE
    }
}
