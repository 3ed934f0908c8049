package dev.comporta.app;

import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.yaml.Findings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Settings that are read and checked but have no effect: a warning at start names those that are set. */
final class NotServed {
    private static final String DEFAULT = "default";
    private static final Pattern INDEX = Pattern.compile("\\[[^]]*]");

    /** Keys, and sections with a dot at their end. docs/configuration.md lists them too. */
    static final List<String> KEYS = List.of("redis.pool_size");

    private NotServed() {}

    /** A warning with the keys that are set and have no effect; absent when there are none. */
    static Optional<String> warning(Reading reading) {
        Set<String> written = new TreeSet<>();
        for (Findings.Effective setting : reading.effective()) {
            String key = INDEX.matcher(setting.path()).replaceAll("[]");
            if (!setting.origin().equals(DEFAULT) && KEYS.stream().anyMatch(notServed -> isPartOf(key, notServed))) {
                written.add(key);
            }
        }
        if (written.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("these settings have no effect yet: " + String.join(", ", written));
    }

    private static boolean isPartOf(String key, String notServed) {
        return notServed.endsWith(".") ? key.startsWith(notServed) : key.equals(notServed);
    }
}
