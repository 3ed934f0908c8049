package dev.comporta.proxy.watch;

import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/**
 * A client at one moment. Times are the bucket's: nanoseconds since an origin of its own.
 *
 * @param id its number in this instance
 * @param address where it comes from; empty when its connection is gone
 * @param overdue whether it has kept its server connection for longer than it should
 * @param connectionId its server connection in its bucket; 0 without one
 * @param pinReason why it keeps its server connection; null when it does not
 * @param lastRequestAt when its latest request was sent to the server or, if that was answered, the end of the answer;
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
        /** Its request arrives, runs or is answered. */
        ACTIVE,
        /** It has no request, and keeps its server connection. */
        PINNED
    }

    /** How it uses server connections. */
    public enum Mode {
        /** One for each request or transaction. */
        TRANSACTION,
        /** One for its whole session, used by others afterwards. */
        SESSION,
        /** One that was opened for it and is closed with it. */
        DEDICATED
    }
}
