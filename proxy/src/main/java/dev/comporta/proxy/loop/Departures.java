package dev.comporta.proxy.loop;

import dev.comporta.proxy.relay.DrainPace;
import dev.comporta.proxy.relay.PooledClient;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the clients of a draining bucket, each at a moment that suits it, and spread over time, because each of them logs in
 * elsewhere. Confined to the bucket's loop.
 *
 * <p>What a client has sent by then is read before it is closed: the loop reads what has arrived before it runs scheduled tasks.
 */
final class Departures {
    private static final Logger log = LoggerFactory.getLogger(Departures.class);

    private static final long TICK_MILLIS = 20;

    /** All clients are spread over at least this many ticks, which take two seconds. */
    private static final int TICKS = 100;

    /** The minimum per tick, for small buckets: 500 logins in a second are no flood. */
    private static final int FEWEST_PER_TICK = 10;

    private final BucketLoop bucketLoop;
    private final String why;
    private final DrainPace pace;
    private final int mostPerTick;
    private final Future<?> ticks;

    Departures(BucketLoop bucketLoop, String why, DrainPace pace) {
        this.bucketLoop = bucketLoop;
        this.why = why;
        this.pace = pace;
        mostPerTick = Math.max(FEWEST_PER_TICK, bucketLoop.sharing().size() / TICKS);
        ticks = bucketLoop.loop().scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        long now = bucketLoop.now();
        int most = pace.moment(now) == DrainPace.Moment.SILENCE ? mostPerTick : Integer.MAX_VALUE;
        int closed = 0;
        for (PooledClient client : bucketLoop.sharing().all()) {
            if (departs(client, now) && ++closed == most) {
                return;
            }
        }
    }

    /** A client whose closing fails must not keep the others from being closed. */
    private boolean departs(PooledClient client, long now) {
        try {
            return client.depart(why, pace, now);
        } catch (RuntimeException e) {
            log.error("bucket {}: closing client {} failed", bucketLoop.spec().id(), client.id(), e);
            return false;
        }
    }

    void end() {
        ticks.cancel(false);
    }
}
