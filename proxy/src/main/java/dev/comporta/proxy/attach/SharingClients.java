package dev.comporta.proxy.attach;

import dev.comporta.pool.Bucket;
import dev.comporta.pool.PinReason;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.Waiter;
import dev.comporta.proxy.attach.BucketSpec.PoolMode;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.relay.ConnectionBroker;
import dev.comporta.proxy.relay.PooledClient;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The clients of a bucket that share its server connections, and what they want of it. Confined to the bucket's loop. */
final class SharingClients implements ConnectionBroker {
    /** What is released unclean is reset after that: to ask the pool for its next deadline each time would cost more. */
    private static final long REST_NANOS = Bucket.restBeforeReset().toNanos();

    private final BucketLoop bucketLoop;
    private final Set<PooledClient> clients = new HashSet<>();

    SharingClients(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
    }

    void entered(PooledClient client) {
        clients.add(client);
    }

    @Override
    public void left(PooledClient client) {
        if (!clients.remove(client)) {
            return;
        }
        bucket().forget(client.waiter(), now());
        ((ServerPool) client.pool().key()).clientLeft();
        bucketLoop.tellDrained();
    }

    int size() {
        return clients.size();
    }

    // Of all: a copy, because who is closed leaves the set.

    void check(ClientLimits limits, long now) {
        List.copyOf(clients).forEach(client -> client.check(limits, now));
    }

    void leave(String why) {
        List.copyOf(clients).forEach(client -> client.leave(why));
    }

    void cutOff(String why) {
        List.copyOf(clients).forEach(client -> client.cutOff(why));
    }

    // What one wants.

    @Override
    public void acquire(PooledClient client) {
        bucket().request(client.waiter(), client.pool(), client.sessionState(), bucketLoop.event());
        if (client.waiter().status() == Waiter.Status.WAITING) {
            bucketLoop.arm();
        }
    }

    @Override
    public boolean cancel(PooledClient client) {
        return bucket().cancel(client.waiter(), now());
    }

    @Override
    public boolean mayUse(PooledServer server) {
        bucketLoop.event();
        return !bucket().isRevoked(server.connection());
    }

    @Override
    public void release(PooledServer server, SessionState left) {
        long now = bucketLoop.event();
        bucket().release(server.connection(), left, server.session().isProven(), now);
        bucketLoop.armBy(now + REST_NANOS);
    }

    @Override
    public void releaseDirty(PooledServer server) {
        bucket().releaseDirty(server.connection(), now());
        bucketLoop.arm();
    }

    @Override
    public void abandon(PooledServer server) {
        server.abandon();
        releaseDirty(server);
    }

    @Override
    public void abandonProbe(PooledServer server) {
        server.abandonProbe();
        releaseDirty(server);
    }

    @Override
    public void discard(PooledServer server) {
        server.close();
        releaseDirty(server); // at once: its client may want another before this one is closed
    }

    @Override
    public void pin(PooledServer server, PinReason reason) {
        bucket().pin(server.connection(), reason, now());
    }

    @Override
    public void unpin(PooledServer server) {
        bucket().unpin(server.connection(), now());
    }

    // What it has to know.

    @Override
    public boolean isSessionMode() {
        return bucketLoop.spec().poolMode() == PoolMode.SESSION;
    }

    @Override
    public boolean keepsResults() {
        return bucketLoop.spec().pinIdentity();
    }

    @Override
    public ProcedureRules procedures() {
        return bucketLoop.spec().procedures();
    }

    @Override
    public long now() {
        return bucketLoop.now();
    }

    @Override
    public String advice(Refusal why) {
        return bucketLoop.advice(why);
    }

    @Override
    public String timeoutAdvice() {
        return Advice.ofQueryTimeout(bucketLoop.spec());
    }

    private Bucket bucket() {
        return bucketLoop.bucket();
    }
}
