package dev.comporta.app;

import dev.comporta.ops.config.AuthSettings;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.yaml.Findings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Settings that are read and checked, and that nothing acts on: whoever wrote one is told at start. */
final class NotServed {
    private static final String DEFAULT = "default";
    private static final Pattern INDEX = Pattern.compile("\\[[^]]*]");

    /** Keys, and sections with a dot at their end. docs/configuration.md names them too. */
    static final List<String> KEYS = List.of(
            "redis.pool_size",
            "proxy.health_check_port",
            "proxy.metrics_port",
            "proxy.admin.",
            "proxy.limits.",
            "buckets[].pin_identity",
            "buckets[].health.query");

    private NotServed() {}

    /** A warning with the keys that were written and have no effect; absent when there are none. */
    static Optional<String> warning(Reading reading) {
        Set<String> written = new TreeSet<>();
        for (Findings.Effective setting : reading.effective()) {
            String key = INDEX.matcher(setting.path()).replaceAll("[]");
            if (!setting.origin().equals(DEFAULT) && KEYS.stream().anyMatch(notServed -> isPartOf(key, notServed))) {
                written.add(key);
            }
        }
        reading.orThrow().buckets().forEach(bucket -> addOf(bucket.auth(), written));
        if (written.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("these settings have no effect yet: " + String.join(", ", written));
    }

    private static void addOf(AuthSettings auth, Set<String> written) {
        switch (auth.mode()) {
            case PASSTHROUGH -> {
                // No connection is opened before a client has brought its own login.
                if (auth.account().isPresent()) {
                    written.add("buckets[].username (without auth: mapped)");
                }
            }
            case MAPPED -> {
                // The server knows the account alone, and so does the pool.
                if (auth.logins().stream().anyMatch(login -> login.maxConnections() != 0 || login.weight() != 1)) {
                    written.add("buckets[].logins[].max_connections and weight (with auth: mapped)");
                }
            }
        }
    }

    private static boolean isPartOf(String key, String notServed) {
        return notServed.endsWith(".") ? key.startsWith(notServed) : key.equals(notServed);
    }
}
