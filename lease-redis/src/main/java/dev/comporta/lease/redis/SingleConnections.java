package dev.comporta.lease.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** Connections to one server: the only one, or the master that the sentinels name. Lettuce subscribes again after a reconnect. */
final class SingleConnections implements RedisConnections {
    private final StatefulRedisConnection<String, String> calls;
    private final StatefulRedisPubSubConnection<String, String> announcements;

    /** Connects, blocking. */
    SingleConnections(RedisClient client, BiConsumer<String, String> heard) {
        calls = client.connect(StringCodec.UTF8);
        try {
            announcements = client.connectPubSub(StringCodec.UTF8);
        } catch (RuntimeException e) {
            var _ = calls.closeAsync();
            throw e;
        }
        RedisConnections.pass(announcements, heard);
    }

    @Override
    public void send(ScriptCommand call) {
        calls.dispatch(call);
    }

    @Override
    public void sendAll(List<ScriptCommand> all) {
        calls.dispatch(all);
    }

    @Override
    public String placeOf(String channel) {
        return "";
    }

    @Override
    public CompletionStage<Void> subscribe(String channel) {
        return announcements.async().subscribe(channel);
    }

    @Override
    public CompletionStage<Void> unsubscribe(String channel) {
        return announcements.async().unsubscribe(channel);
    }

    @Override
    public void close() {
        var _ = calls.closeAsync();
        var _ = announcements.closeAsync();
    }
}
