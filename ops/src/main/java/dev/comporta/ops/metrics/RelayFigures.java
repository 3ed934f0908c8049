package dev.comporta.ops.metrics;

import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.BucketSight;
import dev.comporta.ops.watch.Observation.DataPlaneSight;
import dev.comporta.ops.watch.Observation.RelaySight;

/** The figures of the relay, and of event loops, network buffers and TLS handshakes. */
final class RelayFigures {
    private static final String SUCCEEDED = "ok";
    private static final String FAILED = "failed";

    /** The label of clients that were refused before a bucket was found for them. */
    private static final String NO_BUCKET = "";

    private RelayFigures() {}

    static void collect(Observation seen, Scrape to) {
        seen.buckets().forEach(bucket -> bucket(bucket, to));
        DataPlaneSight plane = seen.dataPlane();
        plane.loopLags().forEach((loop, lag) -> to.histogram(Metric.EVENT_LOOP_LAG, lag, loop));
        to.gauge(Metric.BUFFER_MEMORY, plane.directBuffers(), "direct");
        to.gauge(Metric.BUFFER_MEMORY, plane.heapBuffers(), "heap");
        to.gauge(Metric.BUFFER_MEMORY_MAX, plane.mostDirectBuffers());
        to.counter(Metric.CLIENT_TLS_HANDSHAKES, plane.handshakes(), SUCCEEDED);
        to.counter(Metric.CLIENT_TLS_HANDSHAKES, plane.failedHandshakes(), FAILED);
        plane.refusals().forEach((why, n) -> to.counter(Metric.REFUSALS, n, NO_BUCKET, why));
    }

    private static void bucket(BucketSight bucket, Scrape to) {
        String id = bucket.id();
        RelaySight relay = bucket.relay();
        to.histogram(Metric.TIME_TO_FIRST_BYTE, bucket.pool().firstByteTime(), id);
        relay.packetsSent().forEach((type, n) -> to.counter(Metric.TDS_PACKETS, n, id, "sent", type));
        relay.packetsReceived().forEach((type, n) -> to.counter(Metric.TDS_PACKETS, n, id, "received", type));
        relay.resets().forEach((type, n) -> to.counter(Metric.RESETS, n, id, type));
        to.counter(Metric.STATE_REPLAYS, relay.stateReplays(), id);
        relay.ownMessages().forEach((why, n) -> to.counter(Metric.OWN_ROUND_TRIPS, n, id, why));
        relay.logins().forEach((type, n) -> to.counter(Metric.LOGINS, n, id, type));
        relay.refusals().forEach((why, n) -> to.counter(Metric.REFUSALS, n, id, why));
        to.counter(Metric.SERVER_TLS_HANDSHAKES, relay.handshakes(), id, SUCCEEDED);
        to.counter(Metric.SERVER_TLS_HANDSHAKES, relay.failedHandshakes(), id, FAILED);
        to.counter(Metric.SLOW_REQUESTS, relay.slowRequests(), id);
    }
}
