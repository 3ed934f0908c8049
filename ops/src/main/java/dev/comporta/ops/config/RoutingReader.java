package dev.comporta.ops.config;

import dev.comporta.console.names.NearestName;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.proxy.ListenerConfig;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.proxy.RouteConfig;
import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Item;
import dev.comporta.ops.config.yaml.Location;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.route.NameDirectory;
import dev.comporta.ops.route.Route;
import dev.comporta.ops.route.Router;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the routes from the buckets' {@code databases} and {@code server_names}, from files of databases, and from
 * {@code routes}, and reports names that lead to two buckets, buckets that no route reaches, and routes to unknown buckets or
 * listeners.
 */
final class RoutingReader {
    private static final int SHARED = -2;

    private final ProxyConfig proxy;
    private final List<Section> sections;
    private final List<String> ids;
    private final Findings findings;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<Route.Rule, NameDirectory.Builder> directories = new EnumMap<>(Route.Rule.class);
    private final boolean[] reached;

    /** The files to read, each with the bucket that names it, or {@link #SHARED} when several do. */
    private final Map<Path, Integer> files = new LinkedHashMap<>();

    private final Map<Path, Location> namedAt = new HashMap<>();
    private @Nullable String defaultBucket;

    /** @param sections the buckets' sections: a bucket with errors in it still takes part in routing */
    RoutingReader(ProxyConfig proxy, List<Section> sections, Findings findings) {
        this.proxy = proxy;
        this.sections = sections;
        this.findings = findings;
        this.ids = sections.stream()
                .map(section -> Objects.requireNonNullElse(section.find(BucketConfig.ID), ""))
                .toList();
        this.reached = new boolean[ids.size()];
        for (int i = 0; i < ids.size(); i++) {
            numbers.putIfAbsent(ids.get(i), i);
        }
    }

    void readBuckets() {
        for (int bucket = 0; bucket < sections.size(); bucket++) {
            Section section = sections.get(bucket);
            String path = section.path() + "." + BucketConfig.DATABASES.name();
            for (Item<String> item : section.items(BucketConfig.DATABASES)) {
                switch (item) {
                    case Item.Value<String>(String name, Location where) ->
                        claim(Route.Rule.DATABASE, name, bucket, where, path);
                    case Item.Group<String>(Section group) -> remember(group, bucket);
                }
            }
            for (Item<String> item : section.items(BucketConfig.SERVER_NAMES)) {
                if (item instanceof Item.Value<String>(String name, Location where)) {
                    String serverNames = section.path() + "." + BucketConfig.SERVER_NAMES.name();
                    claim(Route.Rule.SERVER_NAME, name, bucket, where, serverNames);
                }
            }
        }
    }

    /** Reads the file of databases that covers all buckets. */
    void readFile(Section section) {
        if (section.has(BucketConfig.FILE)) {
            remember(section, SHARED);
        }
        files.forEach((file, owner) -> new DatabaseListFile(file, owner, namedAt(file), numbers, findings)
                .read((name, bucket, where) -> claim(Route.Rule.DATABASE, name, bucket, where, "")));
    }

    private Location namedAt(Path file) {
        return Objects.requireNonNull(namedAt.get(file));
    }

    private void remember(Section group, int owner) {
        Path file = group.resolve(group.get(BucketConfig.FILE)).normalize();
        files.merge(file, owner, (known, other) -> known.equals(other) ? known : SHARED);
        namedAt.putIfAbsent(file, group.locate(BucketConfig.FILE.name()));
    }

    void readRoutes(Section proxySection) {
        List<Section> sections = proxySection.children(ProxyConfig.ROUTES, null);
        for (int i = 0; i < sections.size(); i++) {
            RouteConfig route = proxy.routes().get(i);
            Section section = sections.get(i);
            Integer bucket = numbers.get(route.bucket());
            if (bucket == null) {
                unknownBucket(section, RouteConfig.BUCKET.name(), route.bucket());
            } else {
                String key = RouteConfig.keyOf(route.rule());
                claim(route.rule(), route.pattern(), bucket, section.locate(key), section.path() + "." + key);
            }
            if (route.rule() == Route.Rule.LISTENER) {
                checkListener(section, route.pattern());
            }
        }
        proxy.defaultBucket().ifPresent(id -> {
            Integer bucket = numbers.get(id);
            if (bucket == null) {
                unknownBucket(proxySection, ProxyConfig.DEFAULT_BUCKET.name(), id);
            } else {
                defaultBucket = id;
                reached[bucket] = true;
            }
        });
    }

    private void checkListener(Section section, String pattern) {
        List<String> names =
                proxy.listeners().stream().map(ListenerConfig::name).toList();
        if (!pattern.isEmpty() && pattern.indexOf('*') < 0 && !names.contains(pattern)) {
            section.error(
                    RouteConfig.keyOf(Route.Rule.LISTENER),
                    "There is no listener '" + pattern + "'.",
                    didYouMean(names, pattern, () -> "Listeners are: " + String.join(", ", names) + "."));
        }
    }

    private void unknownBucket(Section section, String key, String id) {
        if (!id.isEmpty()) {
            section.error(
                    key,
                    "There is no bucket '" + id + "'.",
                    didYouMean(List.copyOf(numbers.keySet()), id, () -> "Use the id of a bucket in buckets.yaml."));
        }
    }

    private static String didYouMean(List<String> names, String typed, Supplier<String> otherwise) {
        return NearestName.among(names, typed)
                .map(nearest -> "Did you mean '" + nearest + "'?")
                .orElseGet(otherwise);
    }

    private boolean claim(Route.Rule rule, String name, int bucket, Location where, String path) {
        if (name.isEmpty()) {
            return false;
        }
        reached[bucket] = true;
        if (rule == Route.Rule.DATABASE && name.equalsIgnoreCase(proxy.admin().database())) {
            findings.error(
                    where,
                    path,
                    "The database '" + name + "' is where Comporta shows its own statistics.",
                    "Set 'proxy.admin.database' to another name, or leave this one out.");
            return false;
        }
        int other = directories
                .computeIfAbsent(rule, first -> new NameDirectory.Builder())
                .putIfAbsent(name, bucket);
        if (other == NameDirectory.NONE || other == bucket) {
            return true;
        }
        findings.error(
                where,
                path,
                "'" + name + "' already leads to bucket '" + ids.get(other) + "'.",
                "Let it lead to one bucket only.");
        return false;
    }

    /** Adds each bucket's own database, which is the weakest claim, and makes the router. */
    Router finish() {
        NameDirectory.Builder ambiguous = new NameDirectory.Builder();
        bucketsByDatabase().forEach((database, owners) -> {
            if (owners.size() == 1) {
                int bucket = owners.getFirst();
                Section section = sections.get(bucket);
                String key = BucketConfig.DATABASE.name();
                claim(Route.Rule.DATABASE, database, bucket, section.locate(key), section.path() + "." + key);
            } else {
                ambiguous.putIfAbsent(database, 0);
            }
        });
        if (!findings.hasErrors()) {
            warnOfUnreached();
        }
        Map<Route.Rule, NameDirectory> built = new EnumMap<>(Route.Rule.class);
        directories.forEach((rule, builder) -> built.put(rule, builder.build()));
        return new Router(ids, built, ambiguous.build(), Optional.ofNullable(defaultBucket));
    }

    private Map<String, List<Integer>> bucketsByDatabase() {
        Map<String, List<Integer>> owners = new LinkedHashMap<>();
        for (int i = 0; i < sections.size(); i++) {
            String database = sections.get(i).find(BucketConfig.DATABASE);
            if (database != null) {
                owners.computeIfAbsent(database.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                        .add(i);
            }
        }
        return owners;
    }

    private void warnOfUnreached() {
        List<Integer> unreached = new ArrayList<>();
        for (int i = 0; i < reached.length; i++) {
            if (!reached[i]) {
                unreached.add(i);
            }
        }
        if (!unreached.isEmpty()) {
            Section first = sections.get(unreached.getFirst());
            first.warn(
                    BucketConfig.ID.name(),
                    "No client can reach " + describe(unreached) + ": nothing leads there, or a database that other"
                            + " buckets have too.",
                    "Give it 'server_names' or 'databases', or a route in proxy.yaml.");
        }
    }

    private String describe(List<Integer> unreached) {
        String first = "bucket '" + ids.get(unreached.getFirst()) + "'";
        return unreached.size() == 1 ? first : first + " and " + (unreached.size() - 1) + " more";
    }
}
