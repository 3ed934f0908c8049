package dev.comporta.jdbc.stats;

import java.util.List;

/** All servers of a registry at one moment. */
public record RegistryStatistics(
        int healthyServers,
        int unhealthyServers,
        int totalConnections,
        int activeConnections,
        long acquires,
        long releases,
        long errors,
        List<ServerStatistics> servers) {
    public static RegistryStatistics of(List<ServerStatistics> servers) {
        int healthy = (int) servers.stream().filter(ServerStatistics::healthy).count();
        return new RegistryStatistics(
                healthy,
                servers.size() - healthy,
                servers.stream().mapToInt(ServerStatistics::total).sum(),
                servers.stream().mapToInt(ServerStatistics::active).sum(),
                servers.stream().mapToLong(ServerStatistics::acquires).sum(),
                servers.stream().mapToLong(ServerStatistics::releases).sum(),
                servers.stream().mapToLong(ServerStatistics::errors).sum(),
                List.copyOf(servers));
    }
}
