package dev.comporta.proxy.loop;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.PooledClient;
import dev.comporta.proxy.relay.PooledServer;

/** A client that shares server connections. One object per client for its whole life, so that a request allocates nothing. */
record SharingRequester(PooledClient client) implements Requester {
    @Override
    public void attached(PooledServer server) {
        client.attached(server);
    }

    @Override
    public long clientId() {
        return client.id();
    }

    @Override
    public void refused(Refusal why) {
        client.refused(why);
    }

    @Override
    public void lost() {
        client.lost();
    }
}
