package dev.comporta.proxy.loop;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.dedicated.DedicatedClient;
import dev.comporta.proxy.dedicated.DedicatedServer;

/** A client that requests a dedicated server connection. */
record DedicatedRequester(Dedications clients, DedicatedClient client) implements Requester {
    @Override
    public void attached(DedicatedServer server) {
        clients.attached(client, server);
    }

    @Override
    public long clientId() {
        return client.id();
    }

    @Override
    public void refused(Refusal why) {
        clients.refused(client, why);
    }

    @Override
    public void lost() {
        clients.ask(client);
    }
}
