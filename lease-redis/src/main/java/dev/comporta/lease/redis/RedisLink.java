package dev.comporta.lease.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.event.connection.ConnectionActivatedEvent;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * The connections to Redis: one server, sentinels or a cluster. A call never waits for a connection: without one it fails.
 * {@link #mend} opens the connections, and opens them again after a failover that left them at a replica, and when no
 * answer comes. A failed call is not repeated here: its caller decides.
 */
final class RedisLink implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

    /** The longest pause between two attempts to connect: a Redis that is back must be found well within a lease. */
    private static final Duration SLOWEST_RETRY = Duration.ofSeconds(1);

    private final RedisEndpoint endpoint;
    private final RedisTrouble trouble;
    private final BiConsumer<String, String> heard;
    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final Disposable failedReconnects;
    private final Announcements announcements = new Announcements();
    /** Calls that are not urgent: {@link #sendPosted} sends them together. */
    private final Queue<ScriptCommand> posted = new ConcurrentLinkedQueue<>();

    /** Guarded by this object. */
    private String lastTrouble = "";

    private final Hearing hearing = new Hearing();

    private volatile @Nullable RedisConnections connections;
    private volatile boolean tried;
    private volatile boolean closed;

    /** @param heard takes the channel and text of an announcement, on Lettuce's thread */
    RedisLink(RedisEndpoint endpoint, RedisTrouble trouble, BiConsumer<String, String> heard) {
        this.endpoint = endpoint;
        this.trouble = trouble;
        this.heard = heard;
        resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.exponential(Duration.ofMillis(20), SLOWEST_RETRY, 2, TimeUnit.MILLISECONDS))
                .build();
        client = RedisClients.of(endpoint, resources);
        // Lettuce reconnects by itself, and does not log why it fails.
        failedReconnects = resources.eventBus().get().subscribe(event -> {
            switch (event) {
                case ReconnectFailedEvent failed -> warnOnce(failed.getCause());
                case ConnectionActivatedEvent _ -> forgetTrouble();
                default -> {}
            }
        });
    }

    boolean isCluster() {
        return endpoint.mode() == RedisEndpoint.Mode.CLUSTER;
    }

    /** Whether the first attempt to connect has not ended yet. */
    boolean isConnecting() {
        return !tried;
    }

    boolean isBroken() {
        return connections == null;
    }

    /** Connects if necessary, blocking, and subscribes where announcements are published now. To be called regularly. */
    void mend() {
        if (closed) {
            return;
        }
        if (connections == null) {
            connect();
        }
        keepListening();
    }

    private void connect() {
        try {
            RedisConnections made = switch (client) {
                case RedisClusterClient cluster -> new ClusterConnections(cluster, heard);
                case RedisClient single -> new SingleConnections(single, heard);
                default -> throw new IllegalStateException("connect " + client);
            };
            announcements.startAnew();
            connections = made;
            forgetTrouble();
            log.info("connected to Redis at {}", addresses());
        } catch (RuntimeException e) {
            warnOnce(e);
        } finally {
            tried = true;
        }
    }

    /** Attempts are repeated: logs only an error that differs from the last one. */
    private synchronized void warnOnce(Throwable failure) {
        String why = trouble.of(failure);
        if (!why.equals(lastTrouble)) {
            lastTrouble = why;
            log.warn("Redis at {} can't be reached: {}", addresses(), why);
        }
    }

    private synchronized void forgetTrouble() {
        lastTrouble = "";
    }

    private String addresses() {
        return endpoint.addresses().stream()
                .map(address -> address.host() + ":" + address.port())
                .collect(Collectors.joining(", "));
    }

    void listen(String channel) {
        announcements.want(channel);
        keepListening();
    }

    private void keepListening() {
        RedisConnections now = connections;
        if (now != null) {
            announcements.keep(now);
        }
    }

    void ignore(String channel) {
        announcements.forget(channel);
        RedisConnections now = connections;
        if (now != null) {
            now.unsubscribe(channel).whenComplete((_, failure) -> {
                if (failure != null) {
                    log.debug("cannot unsubscribe from {}: {}", channel, failure.getMessage());
                }
            });
        }
    }

    /** Sends a call now. */
    CompletionStage<List<?>> run(LeaseScript script, String key, String... arguments) {
        RedisConnections now = connections;
        if (now == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("Redis is not connected"));
        }
        ScriptCommand call = ScriptCommand.bySha(script, key, arguments);
        CompletionStage<List<?>> answer = answerTo(call, script, key, arguments);
        carryOut(() -> now.send(call), List.of(call));
        return answer;
    }

    /** Sends a call with the next {@link #sendPosted}, together with all calls posted since the last one. */
    CompletionStage<List<?>> post(LeaseScript script, String key, String... arguments) {
        ScriptCommand call = ScriptCommand.bySha(script, key, arguments);
        posted.add(call);
        return answerTo(call, script, key, arguments);
    }

    void sendPosted() {
        if (posted.isEmpty()) {
            return;
        }
        List<ScriptCommand> batch = new ArrayList<>();
        for (ScriptCommand call = posted.poll(); call != null; call = posted.poll()) {
            batch.add(call);
        }
        RedisConnections now = connections;
        if (now == null) {
            batch.forEach(call -> call.completeExceptionally(new IllegalStateException("Redis is not connected")));
        } else {
            carryOut(() -> now.sendAll(batch), batch);
        }
    }

    /** An exception of Lettuce fails the calls, and not the thread that sends for all buckets. */
    private static void carryOut(Runnable sending, List<ScriptCommand> calls) {
        try {
            sending.run();
        } catch (RuntimeException e) {
            calls.forEach(call -> call.completeExceptionally(e));
        }
    }

    private CompletionStage<List<?>> answerTo(ScriptCommand call, LeaseScript script, String key, String... arguments) {
        long sentAt = System.nanoTime();
        return call.<CompletionStage<List<?>>>handle((result, failure) -> {
                    if (failure == null) {
                        hearing.heard();
                        return CompletableFuture.completedFuture(result);
                    }
                    Throwable cause =
                            failure instanceof CompletionException c && c.getCause() != null ? c.getCause() : failure;
                    RedisConnections now = connections;
                    if ((cause instanceof RedisNoScriptException || isMoved(cause)) && now != null) {
                        return again(now, ScriptCommand.whole(script, key, arguments));
                    }
                    if ((cause instanceof RedisReadOnlyException || isDeaf(cause, sentAt)) && now != null) {
                        drop(now);
                    }
                    return CompletableFuture.failedFuture(cause);
                })
                .thenCompose(stage -> stage);
    }

    private static CompletionStage<List<?>> again(RedisConnections connections, ScriptCommand call) {
        carryOut(() -> connections.send(call), List.of(call));
        return call.thenApply(list -> list);
    }

    /** A batch goes to the last known master. A single call is redirected to its successor, which seldom has the script yet. */
    private boolean isMoved(Throwable failure) {
        return isCluster() && String.valueOf(failure.getMessage()).startsWith("MOVED ");
    }

    /**
     * Whether the connection may be dead without having been closed, because the network dropped it silently. A cluster
     * has a connection to each node: {@link ClusterConnections} closes the one concerned.
     */
    private boolean isDeaf(Throwable failure, long sentAt) {
        return failure instanceof RedisCommandTimeoutException && !isCluster() && hearing.isDeafSince(sentAt);
    }

    /** The connected master is a replica now, or does not answer: the next connection finds the right one. */
    private synchronized void drop(RedisConnections old) {
        if (old.equals(connections)) {
            connections = null;
            old.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        failedReconnects.dispose();
        RedisConnections now = connections;
        connections = null;
        if (now != null) {
            now.close();
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        var _ = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
