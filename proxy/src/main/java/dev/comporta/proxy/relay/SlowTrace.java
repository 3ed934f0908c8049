package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.relay.request.StatementCapture;
import dev.comporta.proxy.watch.SlowRequest;
import dev.comporta.proxy.watch.SlowRequest.Outcome;
import dev.comporta.proxy.watch.SlowRequests;
import org.jspecify.annotations.Nullable;

/**
 * Times a client's request and its waiting, while slow requests are logged. Created at the client's first request with the
 * log on, so that otherwise clients cost nothing more. Confined to its bucket's loop.
 */
final class SlowTrace {
    private final PooledClient client;
    private final SlowRequests slow;
    private boolean following;
    private long beganAt;
    private long askedAt;
    private long waited;
    private long receivedBefore;
    private long sentBefore;

    private SlowTrace(PooledClient client, SlowRequests slow) {
        this.client = client;
        this.slow = slow;
    }

    /**
     * Begins a request.
     *
     * @param before the trace of the client's earlier requests; null if none was timed
     * @param held bytes that have arrived of it, and after it
     * @return the trace of the request; null while slow requests are not logged
     */
    static @Nullable SlowTrace begin(
            @Nullable SlowTrace before, PooledClient client, SlowRequests slow, long now, int held) {
        if (!slow.isWanted()) {
            return null;
        }
        SlowTrace trace = before == null ? new SlowTrace(client, slow) : before;
        trace.following = true;
        trace.beganAt = now;
        trace.waited = 0;
        trace.receivedBefore = client.bytesReceived() - held;
        trace.sentBefore = client.bytesSent();
        return trace;
    }

    /** The request asks for a server connection, possibly not for the first time. */
    void asks(long now) {
        askedAt = now;
    }

    void attached(long now) {
        waited += now - askedAt;
    }

    /** The request was answered. */
    void ended(PooledServer given, Outcome outcome, long firstByteNanos, @Nullable PinReason pin, long now) {
        StatementCapture statement = given.inspector().statement();
        if (!following || !statement.isOn()) {
            return; // the log was turned on or off meanwhile
        }
        following = false;
        long total = now - beganAt;
        if (!slow.mustTell(total, now)) {
            return;
        }
        slow.tell(new SlowRequest(
                slow.bucket(),
                client.id(),
                client.address(),
                client.identity().login(),
                statement.procedure(),
                statement.statement(),
                statement.isCutShort(),
                outcome,
                waited,
                firstByteNanos,
                total,
                given.tracker().rows(),
                client.bytesReceived() - receivedBefore,
                client.bytesSent() - sentBefore,
                given.tracker().errors(),
                pin,
                slow.takeUntold()));
    }
}
