package dev.comporta.proxy.relay;

import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.relay.request.StatementCapture;
import dev.comporta.proxy.watch.SlowRequest;
import dev.comporta.proxy.watch.SlowRequest.Outcome;
import dev.comporta.proxy.watch.SlowRequests;
import org.jspecify.annotations.Nullable;

/**
 * When a client's request came and how long it waited, while slow requests are logged. Made with the client's first request
 * then, so that clients cost nothing more while they are not. Confined to its bucket's loop.
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
     * A request begins.
     *
     * @param before of the client's requests before; null if none was followed
     * @param held bytes that have come of it, and behind it
     * @return the trace of it; null while slow requests are not logged
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

    /** It asks for a server connection; perhaps not for the first time. */
    void asks(long now) {
        askedAt = now;
    }

    void attached(long now) {
        waited += now - askedAt;
    }

    /** It was answered. */
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
