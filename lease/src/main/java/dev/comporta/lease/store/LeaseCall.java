package dev.comporta.lease.store;

/**
 * What an instance reports to the store about itself in one bucket. All amounts are totals of this incarnation, never
 * differences: a call that is lost, comes twice, or comes late does no harm.
 *
 * @param form the kind of call
 * @param incarnation counts up with every start of the process, and whenever an instance must report again what it holds
 * @param seq orders the calls of one incarnation: one that arrives after a later one changes nothing
 * @param acked the latest of them that was answered: a store that knows less has lost writes
 * @param seen slots granted so far, as far as this instance knows
 * @param returned slots given back so far
 * @param asked the value of {@code seen} at which all requests that wait in line are served
 * @param atOnce how many more are wanted, if they are free now
 * @param idle connections that no client has used for a while
 * @param limit the bucket's limit as this instance knows it
 * @param fleet how many instances there may be, as far as this one knows
 * @param sentAt when the call is sent, by this instance's own clock: the lease starts then, not when the call is answered
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
        /** First call of an instance that never registered before: if there are no books, they were not lost, there were none. */
        JOIN,
        /** First call of an incarnation, which reports what it holds. */
        HELLO,
        /** Any call after it. */
        SYNC,
        /** Last call: the slots that the instance held are free. */
        BYE
    }
}
