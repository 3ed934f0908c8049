package dev.comporta.proxy.watch;

import java.util.HashMap;
import java.util.Map;

/**
 * The identities of a bucket's clients. Clients with equal ones share one object, so that the ten thousand connections of
 * one application cost the memory of one. Confined to the bucket's loop.
 */
public final class ClientIdentities {
    private static final class Shared {
        final ClientIdentity identity;
        int clients;

        Shared(ClientIdentity identity) {
            this.identity = identity;
        }
    }

    private final Map<ClientIdentity, Shared> known = new HashMap<>();

    /** The shared object of this identity, kept until each client that took it has given it back. */
    public ClientIdentity take(ClientIdentity wanted) {
        Shared shared = known.computeIfAbsent(wanted, Shared::new);
        shared.clients++;
        return shared.identity;
    }

    public void giveBack(ClientIdentity identity) {
        Shared shared = known.get(identity);
        if (shared != null && --shared.clients == 0) {
            known.remove(identity);
        }
    }

    public int size() {
        return known.size();
    }
}
