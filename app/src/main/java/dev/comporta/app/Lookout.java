package dev.comporta.app;

import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.BucketSight;
import dev.comporta.ops.watch.Observation.DataPlaneSight;
import dev.comporta.ops.watch.Observation.Phase;
import dev.comporta.ops.watch.Observation.PreparedSight;
import dev.comporta.ops.watch.Observation.RelaySight;
import dev.comporta.ops.watch.Observation.ReloadCounts;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.proxy.prepared.PreparedSnapshot;
import dev.comporta.proxy.watch.BufferMemory;
import dev.comporta.proxy.watch.EntryCounts;
import dev.comporta.proxy.watch.RelaySnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes the instance for HTTP. Each bucket is asked on its own event loop, by one caller at a time and at most once in 200
 * ms, so that many callers cause little work for the loops. Any thread.
 */
final class Lookout implements Observer {
    /** A loop that takes longer is in trouble, and probes time out after a few seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration FRESH = Duration.ofMillis(200);

    /** A bucket's state at a {@link System#nanoTime}. */
    private record Seen(BucketLoop.Glance glance, long at) {}

    private final String instance;
    private final Optional<Fleet> fleet;
    private volatile Phase phase = Phase.STARTING;
    private volatile @Nullable Proxy proxy;
    private volatile Supplier<Optional<Instant>> certificateExpiry = Optional::empty;
    private volatile ReloadCounts reloads = ReloadCounts.NONE;

    /** Guarded by this, as {@link #looked} is. */
    private Map<String, Seen> last = Map.of();

    private long looked = System.nanoTime() - FRESH.toNanos();

    Lookout(String instance, Optional<Fleet> fleet) {
        this.instance = instance;
        this.fleet = fleet;
    }

    /** @param expiry when the certificate that clients see expires */
    void running(Proxy started, Supplier<Optional<Instant>> expiry) {
        certificateExpiry = expiry;
        proxy = started;
        phase = Phase.RUNNING;
    }

    boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    void draining() {
        phase = Phase.DRAINING;
    }

    void reloaded(boolean failed) {
        ReloadCounts before = reloads;
        reloads = new ReloadCounts(before.applied() + (failed ? 0 : 1), before.failed() + (failed ? 1 : 0), failed);
    }

    @Override
    public Observation observe() {
        List<BucketSight> buckets = BackgroundWork.awaiting(this::buckets);
        Proxy of = proxy;
        return new Observation(
                Instant.now(),
                phase,
                instance,
                silence(),
                buckets,
                fleet.map(Fleet::sight),
                reloads,
                of == null ? DataPlaneSight.NONE : dataPlane(of));
    }

    @Override
    public Duration silence() {
        Proxy of = proxy;
        return of == null || phase != Phase.RUNNING ? Duration.ZERO : of.watch().silence();
    }

    private synchronized List<BucketSight> buckets() {
        Proxy of = proxy;
        if (of != null && System.nanoTime() - looked >= FRESH.toNanos()) {
            look(of);
        }
        long now = System.nanoTime();
        List<BucketSight> sights = new ArrayList<>();
        last.forEach((id, seen) -> sights.add(new BucketSight(
                id,
                seen.glance().server(),
                seen.glance().clients(),
                seen.glance().pool(),
                prepared(seen.glance().prepared()),
                relay(seen.glance().relay()),
                Duration.ofNanos(now - seen.at()))));
        return sights;
    }

    private static PreparedSight prepared(PreparedSnapshot seen) {
        return new PreparedSight(
                seen.texts(), seen.bytes(), seen.hits(), seen.asText(), seen.preparedAgain(), seen.bound());
    }

    private static RelaySight relay(RelaySnapshot seen) {
        return new RelaySight(
                seen.resets(),
                seen.ownMessages(),
                seen.logins(),
                seen.refusals(),
                seen.packetsSent(),
                seen.packetsReceived(),
                seen.stateReplays(),
                seen.handshakes(),
                seen.failedHandshakes(),
                seen.slowRequests());
    }

    private DataPlaneSight dataPlane(Proxy of) {
        BufferMemory buffers = BufferMemory.now();
        EntryCounts entries = of.entryCounts();
        return new DataPlaneSight(
                of.watch().lags(),
                buffers.direct(),
                buffers.heap(),
                buffers.mostDirect(),
                entries.handshakes(),
                entries.failedHandshakes(),
                entries.refusals().snapshot(),
                of.refusedConnections(),
                certificateExpiry.get());
    }

    private void look(Proxy of) {
        Map<String, BucketLoop.Glance> glances = of.glances(PATIENCE);
        looked = System.nanoTime();
        Map<String, Seen> seen = new TreeMap<>();
        for (String bucket : of.buckets()) {
            BucketLoop.Glance glance = glances.get(bucket);
            Seen before = last.get(bucket);
            if (glance != null) {
                seen.put(bucket, new Seen(glance, looked));
            } else if (before != null) {
                seen.put(bucket, before);
            }
        }
        last = seen;
    }
}
