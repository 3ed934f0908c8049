package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One rule that routes clients to a bucket by a single property of their login; {@code *} stands for any letters. */
public record RouteConfig(Route.Rule rule, String pattern, String bucket) {
    private static final Key<String> DATABASE = trait("database");
    private static final Key<String> SERVER_NAME = trait("server_name");
    private static final Key<String> USER = trait("user");
    private static final Key<String> LISTENER = trait("listener");
    public static final Key<String> BUCKET = Key.required("bucket", ValueTypes.text("the id of a bucket"));

    static final Schema SCHEMA = Schema.of(DATABASE, SERVER_NAME, USER, LISTENER, BUCKET);

    private static final Map<Key<String>, Route.Rule> RULES = Map.of(
            DATABASE, Route.Rule.DATABASE,
            SERVER_NAME, Route.Rule.SERVER_NAME,
            USER, Route.Rule.USER,
            LISTENER, Route.Rule.LISTENER);

    private static Key<String> trait(String name) {
        return Key.derived(name, ValueTypes.text("a name or a pattern such as app_*"), "one of the four is needed");
    }

    /** The key under which a rule's pattern is written. */
    public static String keyOf(Route.Rule rule) {
        return RULES.entrySet().stream()
                .filter(entry -> entry.getValue() == rule)
                .map(entry -> entry.getKey().name())
                .findFirst()
                .orElseThrow();
    }

    static RouteConfig read(Section section) {
        List<Key<String>> given = new ArrayList<>();
        for (Key<String> key : List.of(DATABASE, SERVER_NAME, USER, LISTENER)) {
            if (section.has(key)) {
                given.add(key);
            }
        }
        if (given.size() != 1) {
            section.error(
                    given.isEmpty() ? BUCKET.name() : given.getLast().name(),
                    given.isEmpty() ? "The route has no condition." : "A route has one condition only.",
                    "Give one of database, server_name, user, listener; write another route for the next.");
        }
        Key<String> key = given.isEmpty() ? DATABASE : given.getFirst();
        String pattern = section.find(key);
        return new RouteConfig(
                RULES.getOrDefault(key, Route.Rule.DATABASE), pattern == null ? "" : pattern, section.get(BUCKET));
    }
}
