package dev.comporta.proxy.loop;

import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.proxy.dedicated.DedicatedServer;
import dev.comporta.proxy.line.ServerLine;
import dev.comporta.proxy.relay.PooledServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a server connection of the pool core is here: one that is being opened, a shared one, or a dedicated one. */
sealed interface ServerLink permits ServerOpening, ServerLink.Shared, ServerLink.Dedicated {
    static ServerLink of(ServerConnection connection) {
        return (ServerLink) Objects.requireNonNull(connection.attachment());
    }

    void attach(Requester to);

    void close();

    void reset();

    void validate(HealthSettings.Check how);

    /** Its network side; null while it is being opened. */
    @Nullable
    ServerLine line();

    record Shared(PooledServer server, Upkeep upkeep) implements ServerLink {
        @Override
        public void attach(Requester to) {
            to.attached(server);
        }

        @Override
        public void close() {
            server.close();
        }

        @Override
        public void reset() {
            upkeep.reset(server);
        }

        @Override
        public void validate(HealthSettings.Check how) {
            upkeep.validate(server, how);
        }

        @Override
        public ServerLine line() {
            return server;
        }
    }

    /** Never reused: it is closed once released, so there is nothing to reset or to check. */
    record Dedicated(DedicatedServer server, Upkeep upkeep) implements ServerLink {
        @Override
        public void attach(Requester to) {
            to.attached(server);
        }

        @Override
        public void close() {
            server.close();
        }

        @Override
        public void reset() {
            upkeep.resetDone(server.connection(), true);
        }

        @Override
        public void validate(HealthSettings.Check how) {
            upkeep.validated(server.connection(), true);
        }

        @Override
        public ServerLine line() {
            return server;
        }
    }
}
