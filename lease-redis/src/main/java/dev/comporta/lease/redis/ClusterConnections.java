package dev.comporta.lease.redis;

import io.lettuce.core.Delegating;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the masters of a cluster. A call goes to the master of its key's slot, and announcements are subscribed
 * to there. Lettuce learns of a failover from refused or moved calls, but not from a master that stops answering: so a
 * failed call makes it ask for the cluster's topology.
 */
final class ClusterConnections implements RedisConnections {
    private final RedisClusterClient client;
    private final StatefulRedisClusterConnection<String, String> calls;
    private final StatefulRedisClusterPubSubConnection<String, String> announcements;
    private final RedisConnectionStateListener ends;
    /**
     * Counts announcement connections that ended. Lettuce can't restore the subscriptions of such a connection: it
     * subscribes to all channels by one command, which Redis refuses if they are not in one slot.
     */
    private final AtomicLong ended = new AtomicLong();

    private final AtomicLong lookedAt;
    private final Map<RedisURI, Hearing> hearings = new ConcurrentHashMap<>();

    /** Connects, blocking. */
    ClusterConnections(RedisClusterClient client, BiConsumer<String, String> heard) {
        this.client = client;
        lookedAt = new AtomicLong(System.nanoTime() - RedisClients.TOPOLOGY_PAUSE.toNanos());
        calls = client.connect(StringCodec.UTF8);
        try {
            announcements = client.connectPubSub(StringCodec.UTF8);
        } catch (RuntimeException e) {
            var _ = calls.closeAsync();
            throw e;
        }
        RedisConnections.pass(announcements, heard);
        ends = new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                if (connection instanceof StatefulRedisPubSubConnection) {
                    ended.incrementAndGet();
                }
            }
        };
        client.addListener(ends);
        connectToAll();
    }

    /** Waits for the masters. Their replicas are connected too, so that calls go on at once after a failover. */
    private void connectToAll() {
        List<CompletableFuture<?>> masters = new ArrayList<>();
        for (RedisClusterNode node : calls.getPartitions()) {
            RedisURI uri = node.getUri();
            CompletableFuture<?> made = calls.getConnectionAsync(uri.getHost(), uri.getPort());
            if (node.getRole().isUpstream()) {
                masters.add(made.handle((_, _) -> node));
            }
        }
        CompletableFuture.allOf(masters.toArray(new CompletableFuture<?>[0])).join();
    }

    private @Nullable RedisClusterNode masterOf(String key) {
        return client.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    }

    @Override
    public void send(ScriptCommand call) {
        RedisClusterNode master = masterOf(call.key());
        watch(call, master == null ? null : master.getUri());
        calls.dispatch(call);
    }

    @Override
    public void sendAll(List<ScriptCommand> all) {
        Map<RedisURI, List<ScriptCommand>> byNode = new HashMap<>();
        for (ScriptCommand call : all) {
            RedisClusterNode master = masterOf(call.key());
            if (master == null) {
                send(call); // fails with the cause
            } else {
                watch(call, master.getUri());
                byNode.computeIfAbsent(master.getUri(), _ -> new ArrayList<>()).add(call);
            }
        }
        byNode.forEach(this::sendTo);
    }

    private void sendTo(RedisURI node, List<ScriptCommand> batch) {
        var _ = calls.getConnectionAsync(node.getHost(), node.getPort()).whenComplete((connection, failure) -> {
            if (failure == null) {
                connection.dispatch(batch);
            } else {
                batch.forEach(call -> call.completeExceptionally(failure));
            }
        });
    }

    private void watch(ScriptCommand call, @Nullable RedisURI node) {
        long sentAt = System.nanoTime();
        var _ = call.whenComplete((_, failure) -> {
            if (failure != null) {
                look();
            }
            if (node != null) {
                Hearing hearing = hearings.computeIfAbsent(node, _ -> new Hearing());
                if (failure == null) {
                    hearing.heard();
                } else if (failure instanceof RedisCommandTimeoutException && hearing.isDeafSince(sentAt)) {
                    giveUp(node);
                }
            }
        });
    }

    /** The network may have dropped the connections to this node silently: opens them again. Those to other nodes are kept. */
    private void giveUp(RedisURI node) {
        var _ = calls.getConnectionAsync(node.getHost(), node.getPort()).thenAccept(ClusterConnections::hangUp);
        var _ = announcements.getConnectionAsync(node.getHost(), node.getPort()).thenAccept(ClusterConnections::hangUp);
    }

    /**
     * Closes the channel below a connection, but not the connection: Lettuce would keep using a closed connection, and
     * replaces one whose channel has ended. Calls in flight on it fail.
     */
    private static void hangUp(StatefulConnection<String, String> connection) {
        if (connection instanceof RedisChannelHandler<?, ?> handler) {
            RedisChannelWriter writer = handler.getChannelWriter();
            if ((writer instanceof Delegating<?> wrapped ? wrapped.unwrap() : writer) instanceof DefaultEndpoint way) {
                way.disconnect();
            }
        }
    }

    /** Asks the nodes for the topology, unless that was done just now. */
    private void look() {
        long now = System.nanoTime();
        long last = lookedAt.get();
        if (now - last >= RedisClients.TOPOLOGY_PAUSE.toNanos() && lookedAt.compareAndSet(last, now)) {
            var _ = client.refreshPartitionsAsync();
        }
    }

    @Override
    public @Nullable String placeOf(String channel) {
        RedisClusterNode master = masterOf(channel);
        return master == null ? null : master.getNodeId() + " " + ended.get();
    }

    @Override
    public CompletionStage<Void> subscribe(String channel) {
        return onItsNode(channel, commands -> commands.ssubscribe(channel));
    }

    @Override
    public CompletionStage<Void> unsubscribe(String channel) {
        return onItsNode(channel, commands -> commands.sunsubscribe(channel));
    }

    private CompletionStage<Void> onItsNode(
            String channel, Function<RedisPubSubAsyncCommands<String, String>, CompletionStage<Void>> task) {
        RedisClusterNode master = masterOf(channel);
        if (master == null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("no cluster node serves the slot of " + channel));
        }
        RedisURI uri = master.getUri();
        return announcements
                .getConnectionAsync(uri.getHost(), uri.getPort())
                .thenApply(StatefulRedisPubSubConnection::async)
                .thenCompose(task);
    }

    @Override
    public void close() {
        client.removeListener(ends);
        var _ = calls.closeAsync();
        var _ = announcements.closeAsync();
    }
}
