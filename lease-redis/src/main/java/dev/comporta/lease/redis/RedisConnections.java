package dev.comporta.lease.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Connections to Redis, for calls and for announcements: one server, sentinels or a cluster. Any thread. */
interface RedisConnections {
    /** Sends a call; its future is its answer. */
    void send(ScriptCommand call);

    /** Sends many calls, in one write for each server. */
    void sendAll(List<ScriptCommand> calls);

    /** The server that serves this channel now; null for none. A subscription at another server gets no announcements. */
    @Nullable
    String placeOf(String channel);

    CompletionStage<Void> subscribe(String channel);

    CompletionStage<Void> unsubscribe(String channel);

    void close();

    /** Passes on the messages of this connection. */
    static void pass(StatefulRedisPubSubConnection<String, String> from, BiConsumer<String, String> to) {
        from.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                to.accept(channel, message);
            }

            @Override
            public void smessage(String channel, String message) {
                to.accept(channel, message);
            }
        });
    }
}
