package dev.comporta.proxy.loop;

import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.stats.WaiterSnapshot;
import dev.comporta.proxy.dedicated.DedicatedClient;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.relay.PooledClient;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.proxy.watch.ConnectionSnapshot;
import io.netty.util.concurrent.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists everything in a bucket, for the console. A bucket may have tens of thousands of clients: they are listed in slices,
 * and the loop runs other tasks in between. Confined to the bucket's loop.
 */
final class Census {
    /** The length of a slice, in which a loop serves a few requests. By time, because clients cost more while the code is cold. */
    private static final long SLICE_NANOS = 100_000;

    /** Clients listed between two readings of the clock. */
    private static final int CLIENTS_BETWEEN_CLOCKS = 32;

    private final BucketLoop bucketLoop;
    private final Promise<BucketDetail> result;
    private final List<ClientSnapshot> seen = new ArrayList<>();
    private List<PooledClient> sharing = List.of();
    private List<DedicatedClient> dedicated = List.of();
    private int next;

    Census(BucketLoop bucketLoop, Promise<BucketDetail> result) {
        this.bucketLoop = bucketLoop;
        this.result = result;
    }

    void begin() {
        sharing = bucketLoop.sharing().all();
        dedicated = bucketLoop.dedications().all();
        goOn();
    }

    private void goOn() {
        try {
            int all = sharing.size() + dedicated.size();
            long began = System.nanoTime();
            do {
                int end = Math.min(all, next + CLIENTS_BETWEEN_CLOCKS);
                for (; next < end; next++) {
                    see(next);
                }
            } while (next < all && System.nanoTime() - began < SLICE_NANOS);
            if (next < all) {
                bucketLoop.loop().execute(this::goOn);
            } else {
                result.setSuccess(finish());
            }
        } catch (RuntimeException e) {
            result.tryFailure(e);
        }
    }

    /** A client that has disconnected since the beginning is left out. */
    private void see(int index) {
        if (index < sharing.size()) {
            PooledClient client = sharing.get(index);
            if (client.isHere()) {
                seen.add(client.snapshot());
            }
        } else {
            DedicatedClient client = dedicated.get(index - sharing.size());
            if (client.isHere()) {
                seen.add(client.snapshot());
            }
        }
    }

    private BucketDetail finish() {
        List<ConnectionSnapshot> connections = new ArrayList<>();
        for (ServerConnection connection : bucketLoop.runner().connections()) {
            connections.add(see(connection));
        }
        List<dev.comporta.proxy.watch.WaiterSnapshot> waiters = new ArrayList<>();
        for (WaiterSnapshot waiter : bucketLoop.runner().waiters()) {
            waiters.add(new dev.comporta.proxy.watch.WaiterSnapshot(
                    Requester.of(waiter).clientId(), waiter.login(), waiter.since(), waiter.deadline()));
        }
        return new BucketDetail(bucketLoop.spec().id(), Instant.now(), bucketLoop.now(), seen, connections, waiters);
    }

    private static ConnectionSnapshot see(ServerConnection connection) {
        Waiter waiter = connection.waiter();
        long client = waiter == null ? 0 : Requester.of(waiter).clientId();
        // A connection that is not being opened yet has no attachment.
        ServerLine line = connection.attachment() instanceof ServerLink link ? link.line() : null;
        return line == null
                ? new ConnectionSnapshot(connection.snapshot(), client, 0, "", false)
                : new ConnectionSnapshot(
                        connection.snapshot(), client, line.spid(), line.address(), line.isEncrypted());
    }
}
