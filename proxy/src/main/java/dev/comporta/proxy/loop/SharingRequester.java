package dev.comporta.proxy.loop;

import dev.comporta.pool.state.Refusal;
import dev.comporta.proxy.relay.ClientRequest;
import dev.comporta.proxy.relay.ServerSession;

/** A client that shares server connections. One object for its whole life: a request allocates nothing. */
record SharingRequester(SharingClients clients, ClientRequest request) implements Requester {
    @Override
    public void attached(ServerSession server) {
        request.attached(server);
    }

    @Override
    public void refused(Refusal why) {
        request.refused(why);
    }

    @Override
    public void lost() {
        clients.acquire(request);
    }
}
