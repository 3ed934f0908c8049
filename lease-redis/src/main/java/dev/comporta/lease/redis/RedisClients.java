package dev.comporta.lease.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;

/** Lettuce's clients as an endpoint needs them. */
final class RedisClients {
    /** How often a cluster's topology is asked for, unless there is a reason to ask sooner. */
    private static final Duration TOPOLOGY_PERIOD = Duration.ofSeconds(30);
    /** The shortest time between two such requests. */
    static final Duration TOPOLOGY_PAUSE = Duration.ofSeconds(1);

    private RedisClients() {}

    static AbstractRedisClient of(RedisEndpoint endpoint, ClientResources resources) {
        return endpoint.mode() == RedisEndpoint.Mode.CLUSTER
                ? cluster(endpoint, resources)
                : single(endpoint, resources);
    }

    private static RedisClient single(RedisEndpoint endpoint, ClientResources resources) {
        RedisClient single = RedisClient.create(resources, uri(endpoint));
        single.setOptions(options(endpoint, ClientOptions.builder()));
        return single;
    }

    private static RedisClusterClient cluster(RedisEndpoint endpoint, ClientResources resources) {
        List<RedisURI> nodes = endpoint.addresses().stream()
                .map(address -> uri(endpoint, address)
                        // Also the timeout for a node's view of the cluster: a frozen node holds up the others.
                        .withTimeout(shorter(endpoint.dialTimeout(), endpoint.commandTimeout()))
                        .build())
                .toList();
        RedisClusterClient cluster = RedisClusterClient.create(resources, nodes);
        ClusterTopologyRefreshOptions refresh = ClusterTopologyRefreshOptions.builder()
                .adaptiveRefreshTriggersTimeout(TOPOLOGY_PAUSE) // on every event that Lettuce can react to
                .enablePeriodicRefresh(TOPOLOGY_PERIOD)
                .build();
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
        builder.topologyRefreshOptions(refresh);
        cluster.setOptions((ClusterClientOptions) options(endpoint, builder));
        return cluster;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static ClientOptions options(RedisEndpoint endpoint, ClientOptions.Builder builder) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
        endpoint.tls().authorities().ifPresent(file -> ssl.trustManager(file.toFile()));
        return builder.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true) // no other server may carry out a call of an earlier connection
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(endpoint.dialTimeout())
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(endpoint.commandTimeout()))
                .sslOptions(ssl.build())
                .build();
    }

    private static RedisURI uri(RedisEndpoint endpoint) {
        if (endpoint.mode() != RedisEndpoint.Mode.SENTINEL) {
            return uri(endpoint, endpoint.addresses().getFirst()).build();
        }
        RedisURI.Builder builder = RedisURI.builder()
                .withSentinelMasterId(endpoint.sentinelMaster().orElseThrow())
                .withDatabase(endpoint.database())
                .withTimeout(endpoint.dialTimeout());
        // Sentinels are asked one after the other until one answers. Many answer without credentials, and refuse a user
        // name that they don't know: so they are asked without credentials first, then with those of Redis. The last
        // refusal is reported.
        if (endpoint.credentials().isPresent()) {
            endpoint.addresses()
                    .forEach(sentinel -> builder.withSentinel(
                            encrypted(endpoint, plainUri(endpoint, sentinel)).build()));
        }
        for (RedisEndpoint.Address sentinel : endpoint.addresses()) {
            builder.withSentinel(uri(endpoint, sentinel).build());
        }
        return secured(endpoint, builder).build();
    }

    private static RedisURI.Builder uri(RedisEndpoint endpoint, RedisEndpoint.Address address) {
        RedisURI.Builder builder = plainUri(endpoint, address);
        if (endpoint.mode() == RedisEndpoint.Mode.STANDALONE) {
            builder.withDatabase(endpoint.database());
        }
        return secured(endpoint, builder);
    }

    private static RedisURI.Builder plainUri(RedisEndpoint endpoint, RedisEndpoint.Address address) {
        return RedisURI.builder()
                .withHost(address.host())
                .withPort(address.port())
                .withTimeout(endpoint.dialTimeout());
    }

    private static RedisURI.Builder encrypted(RedisEndpoint endpoint, RedisURI.Builder builder) {
        return builder.withSsl(endpoint.tls().enabled())
                .withVerifyPeer(!endpoint.tls().trustsAnyCertificate());
    }

    private static RedisURI.Builder secured(RedisEndpoint endpoint, RedisURI.Builder builder) {
        encrypted(endpoint, builder);
        endpoint.credentials().ifPresent(c -> {
            if (c.user().isEmpty()) {
                builder.withPassword(c.password().toCharArray());
            } else {
                builder.withAuthentication(c.user(), c.password().toCharArray());
            }
        });
        return builder;
    }
}
