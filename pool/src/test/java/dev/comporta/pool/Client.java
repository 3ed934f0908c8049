package dev.comporta.pool;

/** A client as the carrier sees it. */
final class Client {
    final int number;
    final Waiter waiter = new Waiter(this);
    Pool pool;
    boolean waiting;
    /** The server has yet to let it in. */
    boolean login;

    Link link;
    /** What it had last, unless it is forgotten. */
    Link lastLink;

    long since;
    /** Place in the order of arrival. */
    long arrival;
    /** After the last event: had no connection on its way though one could have been opened. */
    boolean wasEligible;
    /** A younger one was served in this event, while it was eligible. */
    boolean passedOver;

    Client(int number) {
        this.number = number;
    }

    /** Whether it waits in the queue, not in the lane for logins. */
    boolean isQueued() {
        return waiting && !waiter.inLane;
    }

    @Override
    public String toString() {
        return "client " + number + (pool == null ? "" : " of " + pool.key());
    }
}
