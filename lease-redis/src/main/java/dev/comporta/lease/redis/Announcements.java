package dev.comporta.lease.redis;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels that are listened to, wherever they are to be heard: when that changes, by a failover or because a
 * connection ended, they are subscribed to again. What is missed meanwhile is made up for by polling. Any thread.
 */
final class Announcements {
    private static final Logger log = LoggerFactory.getLogger(Announcements.class);

    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    /** Where a channel was subscribed to, or is being. */
    private final Map<String, String> places = new ConcurrentHashMap<>();

    void want(String channel) {
        wanted.add(channel);
    }

    void forget(String channel) {
        wanted.remove(channel);
        places.remove(channel);
    }

    /** Another set of connections: nothing is subscribed to yet. */
    void startAnew() {
        places.clear();
    }

    /** Subscribes to what is not heard where it should be. */
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

    /** It is tried again before long. */
    private void failed(String channel, String place, Throwable failure) {
        places.remove(channel, place);
        log.debug("No announcements on {} yet: {}", channel, failure.getMessage());
    }
}
