package dev.comporta.proxy.watch;

import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/**
 * A client at one moment. Times are the bucket's: nanoseconds since its own origin.
 *
 * @param id its number in this instance
 * @param address its address; empty when its connection has ended
 * @param overdue whether it has kept its server connection for longer than {@code max_pin_time}
 * @param connectionId the number of its server connection in its bucket; 0 without one
 * @param pinReason why it keeps its server connection; null when it does not
 * @param lastRequestAt when its latest request was sent to the server or, once that was answered, the end of the response;
 *     negative before the first
 * @param bytesReceived from the client
 * @param bytesSent to the client
 */
public record ClientSnapshot(
        long id,
        String address,
        ClientIdentity identity,
        State state,
        Mode mode,
        @Nullable PinReason pinReason,
        long pinnedSince,
        boolean overdue,
        long connectionId,
        long connectedAt,
        long lastRequestAt,
        long requests,
        long bytesReceived,
        long bytesSent) {
    /** What a client is doing. */
    public enum State {
        /** Its login is not answered yet. */
        LOGGING_IN,
        /** It has no request and no server connection. */
        RESTING,
        /** Its request waits in the queue. */
        WAITING,
        /** Its request is arriving, running or being answered. */
        ACTIVE,
        /** It has no request but keeps its server connection. */
        PINNED
    }

    /** How it uses server connections. */
    public enum Mode {
        /** A server connection for each request or transaction. */
        TRANSACTION,
        /** A server connection for its whole session, used by others afterwards. */
        SESSION,
        /** A server connection that was opened for it and is closed with it. */
        DEDICATED
    }
}
