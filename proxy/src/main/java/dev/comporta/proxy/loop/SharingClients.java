package dev.comporta.proxy.loop;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.relay.ClientHost;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.relay.ClientRequest;
import dev.comporta.proxy.relay.ClientSession;
import dev.comporta.proxy.relay.ServerSession;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.session.SessionState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients of a bucket that share its server connections, and what they want of it. Confined to the bucket's loop. */
public final class SharingClients implements ClientHost {
    private final BucketLoop bucketLoop;
    /** With the pool that each logs in to. */
    private final Map<ClientSession, ServerPool> clients = new HashMap<>();

    SharingClients(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
    }

    void entered(ClientSession client, ServerPool pool) {
        clients.put(client, pool);
        pool.clientEntered();
    }

    @Override
    public Waiter waiter(ClientRequest request) {
        return new Waiter(new SharingRequester(this, request));
    }

    @Override
    public void left(ClientSession client) {
        ServerPool pool = clients.remove(client);
        if (pool == null) {
            return;
        }
        runner().forget(client.request().waiter());
        pool.clientLeft();
        bucketLoop.clientLeft();
    }

    int size() {
        return clients.size();
    }

    // Of all: a copy, because who is closed leaves the set.

    void check(ClientLimits limits, long now) {
        List.copyOf(clients.keySet()).forEach(client -> client.check(limits, now));
    }

    void leave(String why) {
        List.copyOf(clients.keySet()).forEach(client -> client.leave(why));
    }

    void cutOff(String why) {
        List.copyOf(clients.keySet()).forEach(client -> client.cutOff(why));
    }

    // What one wants.

    @Override
    public void acquire(ClientRequest request) {
        runner().request(request.waiter(), request.pool(), request.sessionState());
    }

    @Override
    public boolean cancel(ClientRequest request) {
        return runner().cancel(request.waiter());
    }

    @Override
    public boolean mayUse(ServerSession server) {
        return runner().mayUse(server.connection());
    }

    @Override
    public void release(ServerSession server, SessionState left) {
        runner().release(server.connection(), left, server.isProven());
    }

    @Override
    public void releaseDirty(ServerSession server) {
        runner().releaseDirty(server.connection());
    }

    @Override
    public void abandon(ServerSession server) {
        server.abandon();
        releaseDirty(server);
    }

    @Override
    public void abandonProbe(ServerSession server) {
        server.abandonProbe();
        releaseDirty(server);
    }

    @Override
    public void discard(ServerSession server) {
        server.close();
        releaseDirty(server); // at once: its client may want another before this one is closed
    }

    @Override
    public void pin(ServerSession server, PinReason reason) {
        runner().pin(server.connection(), reason);
    }

    @Override
    public void unpin(ServerSession server) {
        runner().unpin(server.connection());
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

    private BucketRunner runner() {
        return bucketLoop.runner();
    }
}
