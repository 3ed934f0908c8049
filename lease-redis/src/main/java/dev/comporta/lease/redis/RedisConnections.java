package dev.comporta.lease.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Connections to Redis, however it is set up: for calls, and for announcements. Any thread. */
interface RedisConnections {
    /** Sends a call; its future is its answer. */
    void send(ScriptCommand call);

    /** Sends many, written in one piece to each server. */
    void sendAll(List<ScriptCommand> calls);

    /**
     * The server on which this channel is to be heard now, by any name it is known by; null if there is none. A
     * subscription that was made at another one is of no use any more.
     */
    @Nullable
    String placeOf(String channel);

    CompletionStage<Void> subscribe(String channel);

    CompletionStage<Void> unsubscribe(String channel);

    void close();

    /** Passes on what is heard on this connection. */
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
