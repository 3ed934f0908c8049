package dev.comporta.proxy.relay;

import java.time.Duration;

/**
 * The timeouts of clients; zero for none. Checked once a second for all of a bucket, so a client may get a second more.
 *
 * @param idle time between two requests outside of a transaction
 * @param session time since the login; a request or transaction that runs then may still end
 * @param query time of a request, from sending it to the server
 * @param idleInTransaction time between two requests inside of a transaction
 * @param stalled time between two packets of one request
 * @param cancel time for a server to acknowledge a cancel or to answer the proxy's own request
 * @param pin time that a client may keep a server connection which is shared otherwise
 * @param closesPins whether a client that exceeds {@code pin} is closed; otherwise it is only reported
 */
public record ClientLimits(
        Duration idle,
        Duration session,
        Duration query,
        Duration idleInTransaction,
        Duration stalled,
        Duration cancel,
        Duration pin,
        boolean closesPins) {
    public static final ClientLimits NONE =
            new ClientLimits(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** No limit for pins. */
    public ClientLimits(
            Duration idle,
            Duration session,
            Duration query,
            Duration idleInTransaction,
            Duration stalled,
            Duration cancel) {
        this(idle, session, query, idleInTransaction, stalled, cancel, Duration.ZERO, false);
    }

    /** Programs are hardly ever silent for longer between two requests of a transaction. */
    private static final Duration REST = Duration.ofSeconds(3);

    boolean isIdleFor(long nanos) {
        return isOver(idle, nanos);
    }

    public boolean isSessionOver(long nanos) {
        return isOver(session, nanos);
    }

    boolean isQueryOver(long nanos) {
        return isOver(query, nanos);
    }

    boolean isStalledFor(long nanos) {
        return isOver(stalled, nanos);
    }

    public boolean isCancelOver(long nanos) {
        return isOver(cancel, nanos);
    }

    boolean isPinOver(long nanos) {
        return isOver(pin, nanos);
    }

    boolean isIdleInTransactionFor(long nanos) {
        return isOver(idleInTransaction, nanos);
    }

    /** Whether it exceeds the limits both inside and outside of a transaction. */
    public boolean isIdleInAnyCaseFor(long nanos) {
        return isIdleFor(nanos) && isIdleInTransactionFor(nanos);
    }

    /** Whether a client that must be closed, and may be inside of a transaction, has been silent for long enough. */
    public boolean isRestFor(long nanos) {
        return nanos >= REST.toNanos() || isIdleInTransactionFor(nanos);
    }

    private static boolean isOver(Duration limit, long nanos) {
        return !limit.isZero() && nanos >= limit.toNanos();
    }
}
