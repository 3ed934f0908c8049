package dev.comporta.app.top;

import dev.comporta.app.admin.AdminAddress;
import dev.comporta.app.admin.ApiClient;
import dev.comporta.app.admin.ApiUnavailable;
import dev.comporta.app.admin.SqlRefused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Polls one instance on a thread of its own, so that an instance that does not answer delays no other. Any thread may read
 * its last answer.
 */
final class InstanceWatch implements AutoCloseable {
    private final ApiClient api;
    private final AdminAddress address;
    private final Duration every;
    private final Runnable changed;
    private final Thread thread;
    private volatile InstanceSight sight;
    private volatile BucketPage page = BucketPage.NONE;

    /** The bucket whose details are requested; empty for none. Guarded by this, as are the following. */
    private String bucket = "";

    private boolean paused;
    private boolean hurried;

    /** @param changed runs on its thread after each answer */
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

    /** The details of the bucket, if the last answer was about that one. */
    Optional<BucketPage.Part> part(String of) {
        BucketPage known = page;
        return known.bucket().equals(of) ? known.parts().stream().findFirst() : Optional.empty();
    }

    /** Sets what to ask for. Another bucket is asked for at once, even in a pause. */
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

    /** Asks once. A failure becomes a part of the result. */
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
            default -> "unexpected answer: " + e; // another version, or not an instance
        };
        return new InstanceSight.Silent(address.shown(), why);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
