package dev.comporta.jdbc;

import dev.comporta.jdbc.admin.AdminDatabase;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.jdbc.stats.RegistryStatistics;
import dev.comporta.jdbc.stats.ServerStatistics;
import dev.comporta.pool.lease.LeaseSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Pools to many servers, for many users: each server has one limit, and each local user a pool of its own below it. Servers
 * come, change and go while it runs. Thread-safe.
 */
public final class ServerRegistry implements AutoCloseable {
    /** The registry of this process, which {@code jdbc:comporta:SERVER} uses. Made when it is first used. */
    private static final class Shared {
        static final ServerRegistry REGISTRY = ServerFile.registry();
    }

    private final Map<String, RegisteredServer> servers = new ConcurrentHashMap<>();
    private final List<ServerWatch> watches = new CopyOnWriteArrayList<>();
    private final LeaseSource leases;
    private final AdminDatabase sql = RegistryOperator.database(this);

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

    /** The commands and statistics in SQL: {@code CREATE SERVER}, {@code SELECT * FROM sys.remote_pool_stats}. */
    public AdminDatabase sql() {
        return sql;
    }

    /** Reports to this watch every server that is registered, and every later registration, change and removal. */
    public void watch(ServerWatch watch) {
        watches.add(watch);
        servers().forEach(watch::registered);
    }

    public void unwatch(ServerWatch watch) {
        watches.remove(watch);
    }

    /** @throws IllegalArgumentException if the definition is wrong; its message says why, and nothing has changed */
    public void register(ServerDefinition definition) {
        servers.compute(definition.name(), (name, known) -> {
            if (known != null) {
                throw new IllegalArgumentException("server " + name + " is registered already: update it");
            }
            return new RegisteredServer(definition, leases);
        });
        watches.forEach(watch -> watch.registered(definition.name()));
    }

    /** Limits and times change at once; another URL or login replaces connections as they come back. */
    public void update(ServerDefinition definition) {
        alter(known(definition.name()), definition.name(), _ -> definition);
    }

    /** @return whether connections are replaced */
    boolean alter(RegisteredServer server, String name, UnaryOperator<ServerDefinition> change) {
        boolean reopens = server.alter(change);
        watches.forEach(watch -> watch.changed(name));
        return reopens;
    }

    /** Waiting requests are refused; connections close when they are returned, or are aborted after {@code shutdownTimeout}. */
    public void unregister(String server) {
        RegisteredServer removed = servers.remove(server);
        if (removed == null) {
            throw unknown(server);
        }
        close(server, removed);
    }

    private void close(String server, RegisteredServer removed) {
        watches.forEach(watch -> watch.unregistered(server));
        removed.close();
    }

    public List<String> servers() {
        return servers.keySet().stream().sorted().toList();
    }

    /** Sets how a local user logs in at this server; {@code *} stands for all users without a mapping. */
    public void mapUser(String server, String localUser, Credentials credentials) {
        known(server).map(localUser, credentials);
    }

    public void unmapUser(String server, String localUser) {
        known(server).map(localUser, null);
    }

    /** Lends a connection; closing it gives it back. Requests are served in order of arrival, and wait at most this long. */
    public Connection acquire(String server, String localUser, Duration timeout) throws SQLException {
        return find(server).acquire(localUser, timeout);
    }

    /** Waits at most for the server's {@code connectionTimeout}. */
    public Connection acquire(String server, String localUser) throws SQLException {
        return find(server).acquire(localUser, null);
    }

    @Nullable
    RegisteredServer server(String name) {
        return servers.get(name);
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

    /** @return how many connections the user's pool has when all are open or the deadline has passed */
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

    /** Lends no connections of this server until {@link #resume}: requests wait. */
    public void pause(String server) {
        known(server).carrier().pause();
    }

    public void resume(String server) {
        known(server).carrier().resume();
    }

    public boolean isHealthy(String server) {
        return known(server).carrier().isUp();
    }

    public ServerStatistics statistics(String server) {
        return known(server).statistics();
    }

    /** The server's statistics in the form of a pool's, for meters. */
    public PoolStatistics poolStatistics(String server) {
        return known(server).poolStatistics();
    }

    /** Reads the statistics of the server that is registered now, even after it was unregistered: a scrape may come late. */
    public Supplier<PoolStatistics> figures(String server) {
        return known(server)::poolStatistics;
    }

    public RegistryStatistics statistics() {
        return RegistryStatistics.of(servers().stream()
                .map(servers::get)
                .filter(Objects::nonNull)
                .map(RegisteredServer::statistics)
                .toList());
    }

    /** Unregisters all servers. A second call does nothing. */
    @Override
    public void close() {
        for (String server : servers()) {
            RegisteredServer removed = servers.remove(server);
            if (removed != null) {
                close(server, removed);
            }
        }
    }
}
