package dev.comporta.app.console;

import dev.comporta.console.names.NearestName;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.yaml.Absence;
import dev.comporta.ops.config.yaml.Entry;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The paths of all keys that the files may have. In the path of a bucket's key, {@code []} stands for the bucket's id. */
final class SettingNames {
    static final String BUCKET = "buckets[].";
    private static final String PROXY = "proxy.";
    private static final Pattern INDEX = Pattern.compile("\\[[^]]*]");

    private final Map<String, Entry> keys = new LinkedHashMap<>();

    SettingNames() {
        ConfigurationReader.PROXY_FILE.visit("", keys::put);
        ConfigurationReader.BUCKETS_FILE.visit("", (path, key) -> {
            if (path.startsWith(BUCKET)) {
                keys.put(path, key);
            }
        });
    }

    private @Nullable Entry key(String path) {
        return keys.get(INDEX.matcher(path).replaceAll("[]"));
    }

    @Nullable
    String defaultOf(String path) {
        return key(path) instanceof Key<?> key && key.absence() instanceof Absence.Default(String text) ? text : null;
    }

    boolean isSecret(String path) {
        return switch (key(path)) {
            case Key<?> key -> key.type().secret();
            case ListKey<?> list -> list.type().secret();
            case null, default -> false;
        };
    }

    /** Whether a key is a secret's, or might be one misspelt. */
    boolean mayBeSecret(String typed) {
        String last = typed.substring(typed.lastIndexOf('.') + 1);
        List<Entry> meant = keys.entrySet().stream()
                .filter(key -> key.getKey().equalsIgnoreCase(last)
                        || key.getKey().toLowerCase(Locale.ROOT).endsWith("." + last.toLowerCase(Locale.ROOT)))
                .map(Map.Entry::getValue)
                .toList();
        return meant.isEmpty()
                ? !ServerOptions.isOtherName(last)
                : meant.stream()
                        .anyMatch(entry ->
                                entry instanceof Key<?> key && key.type().secret());
    }

    /**
     * The path for a key as a user may write it: as in {@code sys.settings}, without {@code proxy.}, or as a bucket's id, a
     * dot and its key.
     */
    Optional<String> resolve(String typed, Collection<String> buckets) {
        if (isSettable(typed) && (!typed.startsWith("buckets[") || isOf(typed, buckets))) {
            return Optional.of(typed);
        }
        if (isSettable(PROXY + typed)) {
            return Optional.of(PROXY + typed);
        }
        for (String bucket : buckets) {
            String path = "buckets[" + bucket + "]." + typed.substring(Math.min(typed.length(), bucket.length() + 1));
            if (typed.startsWith(bucket + ".") && isSettable(path)) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    private static boolean isOf(String path, Collection<String> buckets) {
        return buckets.stream().anyMatch(bucket -> path.startsWith("buckets[" + bucket + "]."));
    }

    private boolean isSettable(String path) {
        return key(path) != null && settable().contains(INDEX.matcher(path).replaceAll("[]")) && !path.contains("[]");
    }

    Optional<String> nearest(String typed, Collection<String> buckets) {
        List<String> candidates = new ArrayList<>();
        for (String path : settable()) {
            if (path.startsWith(BUCKET)) {
                buckets.forEach(bucket -> candidates.add(path.replace("[]", "[" + bucket + "]")));
                if (typed.indexOf('.') >= 0 && !typed.startsWith("buckets[")) {
                    buckets.forEach(bucket -> candidates.add(path.replace(BUCKET, bucket + ".")));
                }
            } else {
                candidates.add(
                        typed.startsWith(PROXY) || !path.startsWith(PROXY) ? path : path.substring(PROXY.length()));
            }
        }
        return NearestName.among(candidates, typed);
    }

    /** The keys with one value or a list of values, without those in lists of sections other than the buckets. */
    List<String> settable() {
        return keys.keySet().stream()
                .filter(path -> !path.equals(BUCKET + "id"))
                .filter(path -> path.indexOf("[]") == (path.startsWith(BUCKET) ? "buckets".length() : -1)
                        && path.lastIndexOf("[]") == path.indexOf("[]"))
                .toList();
    }

    /** The keys of a bucket. */
    List<String> ofBucket() {
        return settable().stream()
                .filter(path -> path.startsWith(BUCKET))
                .map(path -> path.substring(BUCKET.length()))
                .toList();
    }
}
