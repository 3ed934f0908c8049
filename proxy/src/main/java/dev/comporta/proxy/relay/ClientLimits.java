package dev.comporta.proxy.relay;

import java.time.Duration;

/**
 * How long clients may take. Looked at once a second for all clients of a bucket, so a client may get a second more.
 * Zero means no limit.
 *
 * @param idle between two requests, outside of a transaction
 * @param session from the login on; a request or transaction that runs then may still end
 * @param query for a request, from the moment it is sent to the server
 * @param idleInTransaction between two requests, inside of a transaction
 * @param stalled between two packets of one request
 * @param cancel for a server, to acknowledge a cancel or to answer a question of the proxy's own
 * @param pin to keep a server connection that is shared otherwise
 * @param closesPins whether a client that keeps one for longer is closed, rather than told of
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

    /** Without a limit for pins. */
    public ClientLimits(
            Duration idle,
            Duration session,
            Duration query,
            Duration idleInTransaction,
            Duration stalled,
            Duration cancel) {
        this(idle, session, query, idleInTransaction, stalled, cancel, Duration.ZERO, false);
    }

    /** Between two requests of one transaction a program is hardly ever silent for longer. */
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

    /** Whether it is too long both inside of a transaction and outside. */
    public boolean isIdleInAnyCaseFor(long nanos) {
        return isIdleFor(nanos) && isIdleInTransactionFor(nanos);
    }

    /**
     * Whether a client that is to leave, and may be inside of a transaction or not, is silent for so long that it can be
     * let go.
     */
    public boolean isRestFor(long nanos) {
        return nanos >= REST.toNanos() || isIdleInTransactionFor(nanos);
    }

    private static boolean isOver(Duration limit, long nanos) {
        return !limit.isZero() && nanos >= limit.toNanos();
    }
}
