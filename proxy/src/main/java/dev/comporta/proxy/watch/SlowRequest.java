package dev.comporta.proxy.watch;

import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/**
 * A slow request, timed from the arrival of its first packet to the end of its response.
 *
 * @param client its number in this instance
 * @param address the client's address
 * @param procedure the first procedure that an RPC calls; for other requests their kind in words, or empty for a batch
 * @param statement the beginning of its text, in UTF-16LE; empty if unknown
 * @param cutShort whether the text is longer than that
 * @param waitNanos the wait for a server connection
 * @param firstByteNanos from sending it to the server to the first packet of the response
 * @param totalNanos the whole duration
 * @param rows rows sent and rows changed, as the server counts them
 * @param bytesReceived from the client
 * @param bytesSent to the client
 * @param errors the number of errors in the response
 * @param pin why the client keeps its server connection afterwards; null when it does not
 * @param untold the number of the bucket's slow requests since the last reported one, which are not reported
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
        /** Cancelled by the client. */
        CANCELLED,
        /** Cancelled by query_timeout. */
        TIMED_OUT
    }
}
