package dev.comporta.jdbc;

import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.RegistryStatistics;
import dev.comporta.jdbc.stats.ServerStatistics;
import dev.comporta.pool.lease.LeaseSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pools to many servers, for many users: each server has one limit, and each local user a pool of its own below it. Servers
 * come, change and go while it runs. Thread-safe.
 */
public final class ServerRegistry implements AutoCloseable {
    /** The registry of this process, which {@code jdbc:comporta:SERVER} uses. Not before somebody needs it. */
    private static final class Shared {
        static final ServerRegistry REGISTRY = ServerFile.registry();
    }

    private final Map<String, RegisteredServer> servers = new ConcurrentHashMap<>();
    private final LeaseSource leases;

    public ServerRegistry() {
        this(LeaseSource.LOCAL);
    }

    /** @param leases share each server's limit and connect rate with other instances */
    public ServerRegistry(LeaseSource leases) {
        this.leases = leases;
    }

    public static ServerRegistry shared() {
        return Shared.REGISTRY;
    }

    /** @throws IllegalArgumentException that names what is wrong; then nothing has changed */
    public void register(ServerDefinition definition) {
        servers.compute(definition.name(), (name, known) -> {
            if (known != null) {
                throw new IllegalArgumentException("server " + name + " is registered already: update it");
            }
            return new RegisteredServer(definition, leases);
        });
    }

    /** Limits and times change at once; another URL or login replaces connections as they come back. */
    public void update(ServerDefinition definition) {
        known(definition.name()).update(definition);
    }

    /** Who waits is refused; connections close when they are returned, or are aborted after {@code shutdownTimeout}. */
    public void unregister(String server) {
        RegisteredServer removed = servers.remove(server);
        if (removed == null) {
            throw unknown(server);
        }
        removed.close();
    }

    public List<String> servers() {
        return servers.keySet().stream().sorted().toList();
    }

    /** Says how a local user logs in at this server; the user {@code *} is anybody without a mapping. */
    public void mapUser(String server, String localUser, Credentials credentials) {
        known(server).map(localUser, credentials);
    }

    public void unmapUser(String server, String localUser) {
        known(server).map(localUser, null);
    }

    /** A connection; closing it gives it back. In order of arrival, and at most this long. */
    public Connection acquire(String server, String localUser, Duration timeout) throws SQLException {
        return find(server).acquire(localUser, timeout);
    }

    /** At most as long as {@code connectionTimeout} of the server. */
    public Connection acquire(String server, String localUser) throws SQLException {
        return find(server).acquire(localUser, null);
    }

    private RegisteredServer find(String server) throws SQLException {
        RegisteredServer known = servers.get(server);
        if (known == null) {
            throw new SQLNonTransientConnectionException(unknown(server).getMessage(), "08001");
        }
        return known;
    }

    private RegisteredServer known(String server) {
        RegisteredServer known = servers.get(server);
        if (known == null) {
            throw unknown(server);
        }
        return known;
    }

    private IllegalArgumentException unknown(String server) {
        return new IllegalArgumentException(
                "there is no server " + server + ": register it (registered: " + String.join(", ", servers()) + ")");
    }

    /** @return how many connections the user's pool has when all are open or time is up */
    public int warmUp(String server, String localUser, int connections, Duration deadline) throws SQLException {
        return known(server).warmUp(localUser, connections, deadline);
    }

    /** Changes the limit: idle connections beyond it close now, others when they are returned. */
    public void resize(String server, int connections) {
        known(server).resize(connections);
    }

    /** Replaces all connections: idle ones now, others when they are returned. */
    public void evict(String server) {
        known(server).carrier().reconnect();
    }

    /** Closes all connections now, also those in use. */
    public void closeAll(String server) {
        known(server).carrier().abortAll();
    }

    public boolean isHealthy(String server) {
        return known(server).carrier().isUp();
    }

    public ServerStatistics statistics(String server) {
        return known(server).statistics();
    }

    public RegistryStatistics statistics() {
        return RegistryStatistics.of(
                servers.values().stream().map(RegisteredServer::statistics).toList());
    }

    /** Unregisters all servers. Once is enough; more is harmless. */
    @Override
    public void close() {
        for (String server : servers()) {
            RegisteredServer removed = servers.remove(server);
            if (removed != null) {
                removed.close();
            }
        }
    }
}
