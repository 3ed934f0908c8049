package dev.comporta.ops.config;

import static dev.comporta.ops.config.Readings.problems;
import static dev.comporta.ops.config.Readings.problemsOfBuckets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.route.Route;
import dev.comporta.ops.route.Router;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How databases, server names and routes in the files decide which bucket a client gets. */
class RoutingTest {
    private static final String TWO = """
            buckets:
              - {id: a, host: h, max_connections: 5, database: Sales, databases: [crm, "tenant_*"], server_names: sql-a}
              - {id: b, host: h, max_connections: 5, database: Stock, databases: ["tenant_eu_*"], server_names: [sql-b]}
            """;

    @TempDir
    private Path directory;

    private static Router router(String proxy, String buckets) {
        return Readings.of(proxy, buckets).orThrow().router();
    }

    private static String bucketOf(Router router, String database) {
        return router.route(database, "", "", "main") instanceof Route.To(String bucket, Route.Rule rule)
                ? bucket
                : "none";
    }

    @Test
    void bucketsOwnDatabaseItsListAndItsPatternsLeadToIt() {
        Router router = router("", TWO);
        assertThat(List.of("sales", "CRM", "tenant_1", "Tenant_EU_1", "stock"))
                .extracting(database -> bucketOf(router, database))
                .containsExactly("a", "a", "a", "b", "b");
        assertThat(router.databaseCount()).isEqualTo(5);
    }

    @Test
    void databaseThatSeveralBucketsHaveLeavesTheChoiceToTheServerName() {
        Router router = router("", TWO.replace("Stock", "sales"));
        assertThat(router.route("sales", "sql-b,1433", "", "main"))
                .isEqualTo(new Route.To("b", Route.Rule.SERVER_NAME));
        assertThat(router.route("sales", "elsewhere", "web", "main"))
                .isEqualTo(
                        new Route.None("Several buckets have this database and nothing else tells them apart (database"
                                + " 'sales', server name 'elsewhere', user 'web'). Connect by a name listed in a bucket's"
                                + " server_names."));
    }

    @Test
    void routeForADatabaseThatSeveralBucketsHaveDecides() {
        Router router = router("proxy: {routes: [{database: sales, bucket: b}]}\n", TWO.replace("Stock", "sales"));
        assertThat(bucketOf(router, "Sales")).isEqualTo("b");
    }

    @Test
    void databaseListedInTwoBuckets() {
        assertThat(problemsOfBuckets(TWO.replace("\"tenant_eu_*\"", "CRM")))
                .containsExactly("buckets.yaml:3:71: error: buckets[b].databases: 'CRM' already leads to bucket 'a'."
                        + " Let it lead to one bucket only.");
        assertThat(problemsOfBuckets(TWO.replace("tenant_eu_*", "TENANT_*")))
                .containsExactly(
                        "buckets.yaml:3:71: error: buckets[b].databases: 'TENANT_*' already leads to bucket 'a'."
                                + " Let it lead to one bucket only.");
        assertThat(problemsOfBuckets(TWO.replace("crm", "stock")))
                .containsExactly("buckets.yaml:3:52: error: buckets[b].database: 'stock' already leads to bucket 'a'."
                        + " Let it lead to one bucket only.");
    }

    @Test
    void serverNameOfTwoBuckets() {
        assertThat(problemsOfBuckets(TWO.replace("sql-b", "SQL-A")))
                .containsExactly(
                        "buckets.yaml:3:102: error: buckets[b].server_names: 'SQL-A' already leads to bucket 'a'."
                                + " Let it lead to one bucket only.");
    }

    @Test
    void databaseThatIsComportasOwn() {
        assertThat(problemsOfBuckets(TWO.replace("crm", "Comporta")))
                .containsExactly(
                        "buckets.yaml:2:71: error: buckets[a].databases: The database 'Comporta' is where Comporta"
                                + " shows its own statistics. Set 'proxy.admin.database' to another name, or leave this one out.");
        assertThat(problems("proxy: {admin: {database: pooler}}\n", TWO.replace("crm", "Comporta")))
                .isEmpty();
    }

    @Test
    void routesToUnknownBucketsAndListeners() {
        assertThat(problems("""
                        proxy:
                          default_bucket: c
                          routes:
                            - {user: web, bucket: zebra}
                            - {listener: mian, bucket: a}
                            - {bucket: a}
                            - {user: x, database: y, bucket: a}
                            - {user: x}
                        """, TWO))
                .containsExactly(
                        "proxy.yaml:2:19: error: proxy.default_bucket: There is no bucket 'c'. Use the id of a bucket in"
                                + " buckets.yaml.",
                        "proxy.yaml:4:27: error: proxy.routes[zebra].bucket: There is no bucket 'zebra'."
                                + " Use the id of a bucket in buckets.yaml.",
                        "proxy.yaml:5:18: error: proxy.routes[a].listener: There is no listener 'mian'. Did you mean 'main'?",
                        "proxy.yaml:6:16: error: proxy.routes[a].bucket: The route has no condition. Give one"
                                + " of database, server_name, user, listener; write another route for the next.",
                        "proxy.yaml:7:14: error: proxy.routes[a].user: A route has one condition only. Give one of database,"
                                + " server_name, user, listener; write another route for the next.",
                        "proxy.yaml:8:7: error: proxy.routes[#5].bucket: The key is missing. Add 'bucket:' with the id of a"
                                + " bucket.");
    }

    @Test
    void bucketWithAMistakeStillHasItsPlaceAmongTheRoutes() {
        assertThat(problems("proxy: {default_bucket: a}\n", TWO.replaceFirst("host: h", "min_idle: 9, host: h")))
                .singleElement()
                .asString()
                .contains("min_idle");
    }

    @Test
    void fileOfDatabasesMayBeNamedByABucketByAllOrForAll() throws IOException {
        write("""
                database,bucket
                x,a
                 "with, comma" , b

                only_*,b
                """);
        for (String buckets : List.of(
                TWO + "databases: {file: list.csv}\n",
                TWO.replace("crm", "{file: list.csv}"),
                "defaults: {databases: [{file: list.csv}]}\n" + TWO.replaceAll("databases: \\[[^]]*], ", ""))) {
            Router router = read(buckets).orThrow().router();
            assertThat(List.of("X", "\"with, comma\"", "only_1", "y"))
                    .extracting(database -> bucketOf(router, database))
                    .containsExactly("a", "b", "b", "none");
        }
    }

    @Test
    void lineWithoutABucketMeansTheBucketThatNamesTheFile() throws IOException {
        write("x\n# not this\ny\n");
        assertThat(bucketOf(
                        read(TWO.replace("crm", "{file: list.csv}")).orThrow().router(), "y"))
                .isEqualTo("a");
        assertThat(Readings.lines(read(TWO + "databases: {file: list.csv}\n")))
                .containsExactly(
                        directory.resolve("list.csv") + ":1:1: error: The line names no bucket. Write database,bucket.",
                        directory.resolve("list.csv")
                                + ":3:1: error: The line names no bucket. Write database,bucket.");
    }

    @Test
    void mistakesInAFileOfDatabasesHaveTheirLines() throws IOException {
        write("x,a\nX,b\ny,bb\n,a\n");
        Path list = directory.resolve("list.csv");
        assertThat(Readings.lines(read(TWO + "databases: {file: list.csv}\n")))
                .containsExactly(
                        list + ":2:1: error: 'X' already leads to bucket 'a'. Let it lead to one bucket only.",
                        list + ":3:1: error: There is no bucket 'bb'. Did you mean 'b'?",
                        list + ":4:1: error: There is no database before the comma. Write database,bucket.");
    }

    @Test
    void fileThatIsWrongAsAWholeDoesNotFloodTheScreen() throws IOException {
        write(IntStream.range(0, 100_000).mapToObj(i -> "db" + i + ",nowhere\n").collect(Collectors.joining()));
        List<String> problems = Readings.lines(read(TWO + "databases: {file: list.csv}\n"));
        assertThat(problems).hasSize(22);
        assertThat(problems.getLast()).endsWith(":21:1: error: There are more problems in this file. Fix these first.");
    }

    @Test
    void missingFileOfDatabasesIsToldWhereItIsNamed() {
        assertThat(Readings.lines(read(TWO + "databases: {file: list.csv}\n")))
                .containsExactly("buckets.yaml:4:19: error: file: The file " + directory.resolve("list.csv")
                        + " can't be read (NoSuchFileException). It must be UTF-8 text that this user may read; its path"
                        + " starts at the directory of buckets.yaml.");
    }

    private void write(String list) throws IOException {
        Files.writeString(directory.resolve("list.csv"), list);
    }

    private Reading read(String buckets) {
        return Readings.of("", buckets, directory, Map.of());
    }
}
