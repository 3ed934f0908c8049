package dev.comporta.app.top;

import dev.comporta.app.admin.AdminAddress;
import dev.comporta.app.admin.ApiClient;
import dev.comporta.app.admin.ApiUnavailable;
import dev.comporta.app.admin.SqlRefused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Asks one instance again and again, on a thread of its own, so that one that does not answer holds up no other. Any thread
 * may read what it said last.
 */
final class InstanceWatch implements AutoCloseable {
    private final ApiClient api;
    private final AdminAddress address;
    private final Duration every;
    private final Runnable changed;
    private final Thread thread;
    private volatile InstanceSight sight;
    private volatile BucketPage page = BucketPage.NONE;

    /** The bucket to look into; empty for none. Guarded by this, as are the following. */
    private String bucket = "";

    private boolean paused;
    private boolean hurried;

    /** @param changed is run, on its thread, whenever there is something new to be read */
    InstanceWatch(ApiClient api, AdminAddress address, Duration every, Runnable changed) {
        this.api = api;
        this.address = address;
        this.every = every;
        this.changed = changed;
        sight = new InstanceSight.Asked(address.shown());
        thread = Thread.ofVirtual().name("watch-" + address.shown()).unstarted(this::watch);
    }

    void start() {
        thread.start();
    }

    InstanceSight sight() {
        return sight;
    }

    /** What it said of the bucket, if that is the one it was asked for last. */
    Optional<BucketPage.Part> part(String of) {
        BucketPage known = page;
        return known.bucket().equals(of) ? known.parts().stream().findFirst() : Optional.empty();
    }

    /** What to ask from now on. A bucket that is new is asked for at once, in a pause too. */
    synchronized void want(String bucketToSee, boolean pause) {
        boolean another = !bucketToSee.isEmpty() && !bucketToSee.equals(bucket);
        boolean resumed = paused && !pause;
        hurried |= another || resumed;
        bucket = bucketToSee;
        paused = pause;
        notifyAll();
    }

    private synchronized String bucket() {
        hurried = false;
        return bucket;
    }

    private void watch() {
        try {
            while (true) {
                look(bucket());
                changed.run();
                rest();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void rest() throws InterruptedException {
        long until = System.nanoTime() + every.toNanos();
        while (!hurried && (paused || until - System.nanoTime() > 0)) {
            long millis = Duration.ofNanos(until - System.nanoTime()).toMillis();
            wait(paused ? 0 : Math.max(1, millis));
        }
    }

    private void look(String into) throws InterruptedException {
        InstanceSight seen = ask(api, address);
        if (!into.isEmpty() && seen instanceof InstanceSight.Answered answered) {
            try {
                BucketPage.Part part =
                        BucketPage.Part.of(answered.name(), api.ask(address, BucketPage.Part.query(into)));
                page = new BucketPage(into, List.of(part));
            } catch (SqlRefused | ApiUnavailable | RuntimeException e) {
                seen = silent(address, e);
            }
        }
        sight = seen;
    }

    /** Asks once. A failure becomes part of what is shown. */
    static InstanceSight ask(ApiClient api, AdminAddress address) throws InterruptedException {
        try {
            return InstanceSight.Answered.of(address.shown(), api.ask(address, InstanceSight.Answered.QUERY));
        } catch (SqlRefused | ApiUnavailable | RuntimeException e) {
            return silent(address, e);
        }
    }

    private static InstanceSight silent(AdminAddress address, Exception e) {
        String why = switch (e) {
            case ApiUnavailable unavailable -> unavailable.text();
            case SqlRefused refused -> "error " + refused.number() + ": " + refused.text();
            default -> "its answer is not understood: " + e; // another version, or no instance at all
        };
        return new InstanceSight.Silent(address.shown(), why);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
