package dev.comporta.lease;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to Redis, however it is set up: one for calls, one for announcements. Calls never wait for a connection:
 * without one they fail. {@link #mend} makes the connections, and makes them anew after a failover that left us with a
 * replica. A call that failed is not repeated here: who made it says it anew.
 */
final class RedisLink implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

    /** Reconnects are tried this often at the most: a Redis that is back must be found well within a lease. */
    private static final Duration SLOWEST_RETRY = Duration.ofSeconds(1);

    private record Connections(
            StatefulConnection<String, String> calls,
            RedisScriptingAsyncCommands<String, String> scripts,
            StatefulRedisPubSubConnection<String, String> announcements) {
        void close() {
            var _ = calls.closeAsync();
            var _ = announcements.closeAsync();
        }
    }

    private final RedisEndpoint endpoint;
    private final BiConsumer<String, String> heard;
    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final Set<String> channels = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Connections connections;
    private volatile boolean tried;
    private volatile boolean closed;

    /** @param heard takes an announcement's channel and text, on Lettuce's thread */
    RedisLink(RedisEndpoint endpoint, BiConsumer<String, String> heard) {
        this.endpoint = endpoint;
        this.heard = heard;
        resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.exponential(Duration.ofMillis(20), SLOWEST_RETRY, 2, TimeUnit.MILLISECONDS))
                .build();
        client = isCluster() ? clusterClient() : singleClient();
    }

    boolean isCluster() {
        return endpoint.mode() == RedisEndpoint.Mode.CLUSTER;
    }

    private AbstractRedisClient singleClient() {
        RedisClient single = RedisClient.create(resources, uri());
        single.setOptions(options(ClientOptions.builder()));
        return single;
    }

    private AbstractRedisClient clusterClient() {
        List<RedisURI> nodes =
                endpoint.addresses().stream().map(a -> uri(a).build()).toList();
        RedisClusterClient cluster = RedisClusterClient.create(resources, nodes);
        ClusterTopologyRefreshOptions refresh = ClusterTopologyRefreshOptions.builder()
                .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                .enablePeriodicRefresh(Duration.ofSeconds(30))
                .build();
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
        builder.topologyRefreshOptions(refresh);
        cluster.setOptions((ClusterClientOptions) options(builder));
        return cluster;
    }

    private ClientOptions options(ClientOptions.Builder builder) {
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
        endpoint.tls().authorities().ifPresent(file -> ssl.trustManager(file.toFile()));
        return builder.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true) // a call from before must not be carried out by another server
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(endpoint.dialTimeout())
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(endpoint.commandTimeout()))
                .sslOptions(ssl.build())
                .build();
    }

    private RedisURI uri() {
        if (endpoint.mode() != RedisEndpoint.Mode.SENTINEL) {
            return uri(endpoint.addresses().getFirst()).build();
        }
        RedisURI.Builder builder = RedisURI.builder()
                .withSentinelMasterId(endpoint.sentinelMaster().orElseThrow())
                .withDatabase(endpoint.database())
                .withTimeout(endpoint.dialTimeout());
        for (RedisEndpoint.Address sentinel : endpoint.addresses()) {
            builder.withSentinel(uri(sentinel).build());
        }
        return secured(builder).build();
    }

    private RedisURI.Builder uri(RedisEndpoint.Address address) {
        RedisURI.Builder builder = RedisURI.builder().withHost(address.host()).withPort(address.port());
        if (endpoint.mode() == RedisEndpoint.Mode.STANDALONE) {
            builder.withDatabase(endpoint.database());
        }
        return secured(builder.withTimeout(endpoint.dialTimeout()));
    }

    private RedisURI.Builder secured(RedisURI.Builder builder) {
        builder.withSsl(endpoint.tls().enabled()).withVerifyPeer(!endpoint.tls().trustsAnyCertificate());
        endpoint.credentials().ifPresent(c -> {
            if (c.user().isEmpty()) {
                builder.withPassword(c.password().toCharArray());
            } else {
                builder.withAuthentication(c.user(), c.password().toCharArray());
            }
        });
        return builder;
    }

    /** Whether it is not yet known if Redis can be reached. */
    boolean isConnecting() {
        return !tried;
    }

    /** Whether {@link #mend} has something to do. */
    boolean isBroken() {
        return connections == null;
    }

    /** Connects, blocking. */
    void mend() {
        if (closed || connections != null) {
            return;
        }
        try {
            Connections made = connect();
            made.announcements().addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    heard.accept(channel, message);
                }

                @Override
                public void smessage(String channel, String message) {
                    heard.accept(channel, message);
                }
            });
            connections = made;
            channels.forEach(channel -> subscribe(made, channel));
            log.info("Redis at {} is connected", endpoint.addresses());
        } catch (RuntimeException e) {
            log.warn("Redis at {} can't be reached: {}", endpoint.addresses(), rootMessage(e));
        } finally {
            tried = true;
        }
    }

    private Connections connect() {
        return switch (client) {
            case RedisClusterClient cluster -> {
                var calls = cluster.connect(StringCodec.UTF8);
                yield new Connections(calls, calls.async(), cluster.connectPubSub(StringCodec.UTF8));
            }
            case RedisClient single -> {
                var calls = single.connect(StringCodec.UTF8);
                yield new Connections(calls, calls.async(), single.connectPubSub(StringCodec.UTF8));
            }
            default -> throw new IllegalStateException("connect " + client);
        };
    }

    static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    void listen(String channel) {
        Connections now = connections;
        if (channels.add(channel) && now != null) {
            subscribe(now, channel);
        }
    }

    void ignore(String channel) {
        Connections now = connections;
        if (channels.remove(channel) && now != null) {
            var commands = now.announcements().async();
            tellOf(channel, isCluster() ? commands.sunsubscribe(channel) : commands.unsubscribe(channel));
        }
    }

    private void subscribe(Connections to, String channel) {
        var commands = to.announcements().async();
        tellOf(channel, isCluster() ? commands.ssubscribe(channel) : commands.subscribe(channel));
    }

    /** A subscription that fails is made up for by polling, until the next connection. */
    private static void tellOf(String channel, CompletionStage<Void> subscription) {
        subscription.whenComplete((_, failure) -> {
            if (failure != null) {
                log.info("No announcements on {}: {}", channel, failure.getMessage());
            }
        });
    }

    CompletionStage<List<?>> run(LeaseScript script, String key, String... arguments) {
        Connections now = connections;
        if (now == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("Redis is not connected"));
        }
        String[] keys = {key};
        CompletionStage<List<Object>> first =
                now.scripts().evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments);
        return first.<CompletionStage<List<?>>>handle((result, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(result);
                    }
                    Throwable cause =
                            failure instanceof CompletionException c && c.getCause() != null ? c.getCause() : failure;
                    if (cause instanceof RedisNoScriptException) {
                        CompletionStage<List<Object>> again =
                                now.scripts().eval(script.text(), ScriptOutputType.MULTI, keys, arguments);
                        return again.thenApply(list -> list);
                    }
                    if (cause instanceof RedisReadOnlyException) {
                        drop(now);
                    }
                    return CompletableFuture.failedFuture(cause);
                })
                .thenCompose(stage -> stage);
    }

    /** The master we had is a replica now: the next connection finds the new one. */
    private synchronized void drop(Connections old) {
        if (old.equals(connections)) {
            connections = null;
            old.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        Connections now = connections;
        connections = null;
        if (now != null) {
            now.close();
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        var _ = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
