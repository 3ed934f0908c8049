package dev.comporta.ops.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {
    private static final List<String> BUCKETS = List.of("by-db", "by-server", "by-user", "by-listener", "rest");

    private static Router router(Optional<String> defaultBucket) {
        Map<Route.Rule, NameDirectory> directories = new EnumMap<>(Route.Rule.class);
        directories.put(Route.Rule.DATABASE, directory("app", 0));
        directories.put(Route.Rule.SERVER_NAME, directory("sql-1.local", 1));
        directories.put(Route.Rule.USER, directory("web", 2));
        directories.put(Route.Rule.LISTENER, directory("second", 3));
        return new Router(BUCKETS, directories, directory("shared", 0), defaultBucket);
    }

    private static NameDirectory directory(String name, int bucket) {
        NameDirectory.Builder builder = new NameDirectory.Builder();
        builder.putIfAbsent(name, bucket);
        return builder.build();
    }

    @Test
    void traitsAreAskedInOrder() {
        Router router = router(Optional.of("rest"));
        assertThat(router.route("App", "sql-1.local", "web", "second"))
                .isEqualTo(new Route.To("by-db", Route.Rule.DATABASE));
        assertThat(router.route("other", "sql-1.local", "web", "second"))
                .isEqualTo(new Route.To("by-server", Route.Rule.SERVER_NAME));
        assertThat(router.route("other", "sql-2.local", "WEB", "second"))
                .isEqualTo(new Route.To("by-user", Route.Rule.USER));
        assertThat(router.route("other", "sql-2.local", "batch", "second"))
                .isEqualTo(new Route.To("by-listener", Route.Rule.LISTENER));
        assertThat(router.route("", "", "", "main")).isEqualTo(new Route.To("rest", Route.Rule.DEFAULT_BUCKET));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sql-1.local",
                "SQL-1.LOCAL",
                "sql-1.local,1433",
                "tcp:sql-1.local",
                "tcp:sql-1.local,1433",
                "sql-1.local\\instance",
                "TCP:sql-1.local\\instance,14330",
                "admin:sql-1.local"
            })
    void serverNameIsFoundInEveryFormThatDriversSend(String dialled) {
        assertThat(router(Optional.empty()).route("", dialled, "", ""))
                .isEqualTo(new Route.To("by-server", Route.Rule.SERVER_NAME));
    }

    @Test
    void serverNameMayBeAnAddressOfIpv6() {
        Map<Route.Rule, NameDirectory> directories = Map.of(Route.Rule.SERVER_NAME, directory("fe80::1", 1));
        Router router = new Router(BUCKETS, directories, directory("x", 0), Optional.empty());
        assertThat(router.route("", "fe80::1,1433", "", ""))
                .isEqualTo(new Route.To("by-server", Route.Rule.SERVER_NAME));
        assertThat(router.route("", "tcp:fe80::1", "", ""))
                .isEqualTo(new Route.To("by-server", Route.Rule.SERVER_NAME));
    }

    @Test
    void instanceMayHaveABucketOfItsOwn() {
        Map<Route.Rule, NameDirectory> directories = Map.of(Route.Rule.SERVER_NAME, directory("host\\blue", 2));
        Router router = new Router(BUCKETS, directories, directory("x", 0), Optional.empty());
        assertThat(router.route("", "host\\BLUE,1433", "", ""))
                .isEqualTo(new Route.To("by-user", Route.Rule.SERVER_NAME));
        assertThat(router.route("", "host\\green", "", "")).isInstanceOf(Route.None.class);
    }

    @Test
    void noneSaysWhatWasAskedForAndWhatToDo() {
        assertThat(router(Optional.empty()).route("nope", "sql-9", "batch", "main"))
                .isEqualTo(
                        new Route.None(
                                "No bucket is configured for this login (database 'nope', server name 'sql-9',"
                                        + " user 'batch'). Check the connection string, or have the database added to a bucket."));
        assertThat(router(Optional.empty()).route("", "sql-9", "batch", "main"))
                .isInstanceOfSatisfying(
                        Route.None.class,
                        none -> assertThat(none.reason()).contains("(no database, server name 'sql-9'"));
    }
}
