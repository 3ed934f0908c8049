package dev.comporta.proxy.loop;

import dev.comporta.pool.Waiter;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.line.PausedPeers;
import dev.comporta.proxy.loop.BucketSpec.PoolMode;
import dev.comporta.proxy.loop.BucketSpec.PreparedStatements;
import dev.comporta.proxy.prepared.PreparedTexts;
import dev.comporta.proxy.relay.ClientLimits;
import dev.comporta.proxy.relay.ConnectionBroker;
import dev.comporta.proxy.relay.PooledClient;
import dev.comporta.proxy.relay.PooledServer;
import dev.comporta.proxy.session.ProcedureRules;
import dev.comporta.proxy.watch.RelayCounters;
import dev.comporta.proxy.watch.SlowRequests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

/** The clients of a bucket that share its server connections, and the broker that serves them. Confined to the bucket's loop. */
public final class SharingClients implements ConnectionBroker {
    private final BucketLoop bucketLoop;
    /** The clients, each with its pool. */
    private final Map<PooledClient, ServerPool> clients = new HashMap<>();

    private final PreparedTexts prepared = new PreparedTexts();

    SharingClients(BucketLoop bucketLoop) {
        this.bucketLoop = bucketLoop;
    }

    void entered(PooledClient client, ServerPool pool) {
        clients.put(client, pool);
        pool.clientEntered();
    }

    @Override
    public Waiter waiter(PooledClient client) {
        return new Waiter(new SharingRequester(client));
    }

    @Override
    public void left(PooledClient client) {
        ServerPool pool = clients.remove(client);
        if (pool == null) {
            return;
        }
        bucketLoop.identities().giveBack(client.identity());
        runner().forget(client.waiter());
        pool.clientLeft();
        bucketLoop.clientLeft();
    }

    /** The present clients; a copy. */
    List<PooledClient> all() {
        return List.copyOf(clients.keySet());
    }

    int size() {
        return clients.size();
    }

    // For all clients: on a copy, because closing a client removes it from the map.

    void check(ClientLimits limits, long now) {
        List.copyOf(clients.keySet()).forEach(client -> client.check(limits, now));
    }

    void lookAt(PausedPeers paused, long now) {
        clients.keySet().forEach(client -> paused.look(client.ctx().channel(), now));
    }

    void cutOff(String why) {
        List.copyOf(clients.keySet()).forEach(client -> client.cutOff(why));
    }

    /** @return whether there is such a client */
    boolean kill(long id, String why) {
        for (PooledClient client : clients.keySet()) {
            if (client.id() == id) {
                client.kill(why);
                return true; // end the iteration: closing a client removes it from the map
            }
        }
        return false;
    }

    void listTo(LongConsumer ids) {
        clients.keySet().forEach(client -> ids.accept(client.id()));
    }

    // Actions of a client.

    @Override
    public void acquire(PooledClient client) {
        runner().request(client.waiter(), client.pool(), client);
    }

    @Override
    public boolean cancel(PooledClient client) {
        return runner().cancel(client.waiter());
    }

    @Override
    public boolean mayUse(PooledServer server) {
        return runner().mayUse(server.connection());
    }

    @Override
    public String latestTerms(PooledClient client) {
        ServerPool pool = Objects.requireNonNull(clients.get(client));
        return Objects.requireNonNull(pool.accepted()).terms();
    }

    @Override
    public void release(PooledServer server) {
        runner().release(server.connection(), server.session(), server.session().isProven());
    }

    @Override
    public void releaseDirty(PooledServer server) {
        runner().releaseDirty(server.connection());
    }

    @Override
    public void abandon(PooledServer server) {
        server.abandon();
        releaseDirty(server);
    }

    @Override
    public void discard(PooledServer server) {
        server.close();
        releaseDirty(server); // at once: its client may request another before this one is closed
    }

    @Override
    public void pin(PooledServer server, PinReason reason) {
        runner().pin(server.connection(), reason);
    }

    @Override
    public void unpin(PooledServer server) {
        runner().unpin(server.connection());
    }

    @Override
    public void pinOverdue(PooledClient client, String message) {
        bucketLoop.news().pinOverdue(bucketLoop.spec().id(), client.identity().login(), client.address(), message);
    }

    @Override
    public void pinEnded(PooledClient client, String message) {
        bucketLoop.news().pinEnded(bucketLoop.spec().id(), client.identity().login(), client.address(), message);
    }

    // Settings and services for clients.

    @Override
    public boolean isSessionMode() {
        return bucketLoop.spec().poolMode() == PoolMode.SESSION;
    }

    @Override
    public boolean keepsResults() {
        return bucketLoop.spec().pinIdentity();
    }

    @Override
    public PreparedTexts preparedTexts() {
        return prepared;
    }

    @Override
    public boolean pinsPrepared() {
        return bucketLoop.spec().preparedStatements() == PreparedStatements.PIN;
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
    public RelayCounters counters() {
        return bucketLoop.counters();
    }

    @Override
    public SlowRequests slowRequests() {
        return bucketLoop.slowRequests();
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
