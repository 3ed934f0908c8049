package dev.comporta.lease.redis;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels that this instance subscribes to, each on the server that serves it now. After a failover or a lost
 * connection they are subscribed to again; polling makes up for announcements that are missed meanwhile. Any thread.
 */
final class Announcements {
    private static final Logger log = LoggerFactory.getLogger(Announcements.class);

    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    /** The server on which a channel is subscribed, or being subscribed. */
    private final Map<String, String> places = new ConcurrentHashMap<>();

    void want(String channel) {
        wanted.add(channel);
    }

    void forget(String channel) {
        wanted.remove(channel);
        places.remove(channel);
    }

    /** The connections are new: nothing is subscribed yet. */
    void startAnew() {
        places.clear();
    }

    /** Subscribes to the channels that are not subscribed on the server that serves them now. */
    void keep(RedisConnections connections) {
        for (String channel : wanted) {
            String place = connections.placeOf(channel);
            if (place != null && !place.equals(places.put(channel, place))) {
                subscribe(connections, channel, place);
            }
        }
    }

    private void subscribe(RedisConnections connections, String channel, String place) {
        try {
            connections.subscribe(channel).whenComplete((_, failure) -> {
                if (failure != null) {
                    failed(channel, place, failure);
                }
            });
        } catch (RuntimeException e) {
            failed(channel, place, e);
        }
    }

    /** A failed subscription is tried again soon. */
    private void failed(String channel, String place, Throwable failure) {
        places.remove(channel, place);
        log.debug("cannot subscribe to {}, will retry: {}", channel, failure.getMessage());
    }
}
