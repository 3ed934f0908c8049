package dev.comporta.proxy.loop;

import dev.comporta.proxy.relay.DrainPace;
import dev.comporta.proxy.relay.PooledClient;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the clients of a bucket that drains, each at a moment that suits it, and not all at once: each of them logs in
 * elsewhere. Confined to the bucket's loop.
 *
 * <p>What a client has sent by now is read before it is closed: the loop reads what there is before it runs what is due.
 */
final class Departures {
    private static final Logger log = LoggerFactory.getLogger(Departures.class);

    private static final long TICK_MILLIS = 20;

    /** All clients are spread over as many ticks at least, which makes two seconds. */
    private static final int TICKS = 100;

    /** Of a small bucket: 500 logins in a second are no flood. */
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

    /** One that can't be closed must not keep the others here. */
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
