package dev.comporta.proxy.watch;

import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/**
 * A request that took long, from the arrival of its first packet to the end of its response.
 *
 * @param client its number in this instance
 * @param address where it comes from
 * @param procedure that an RPC calls first; for another request what kind of request it is, in words, or empty for a batch
 * @param statement the beginning of its text, in UTF-16LE; empty where it has none that is known
 * @param cutShort whether the statement goes on beyond what is here
 * @param waitNanos for a server connection
 * @param firstByteNanos from sending it to the server to the first packet of the response
 * @param totalNanos all of it
 * @param rows as the server counts them: those that were sent, and those that were changed
 * @param bytesReceived from the client
 * @param bytesSent to the client
 * @param errors that the response has
 * @param pin why the client keeps its server connection afterwards; null when it does not
 * @param untold how many slow requests of the bucket came since the one told before, and are not told
 */
@SuppressWarnings("ArrayRecordComponent") // borrowed by one reader, and never compared
public record SlowRequest(
        String bucket,
        long client,
        String address,
        String login,
        String procedure,
        byte[] statement,
        boolean cutShort,
        Outcome outcome,
        long waitNanos,
        long firstByteNanos,
        long totalNanos,
        long rows,
        long bytesReceived,
        long bytesSent,
        int errors,
        @Nullable PinReason pin,
        long untold) {
    /** How it ended. */
    public enum Outcome {
        COMPLETED,
        /** By the client. */
        CANCELLED,
        /** By query_timeout. */
        TIMED_OUT
    }
}
