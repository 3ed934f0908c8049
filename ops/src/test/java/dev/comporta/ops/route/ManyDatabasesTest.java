package dev.comporta.ops.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The size that this is made for: 300,000 databases in 120 buckets. */
class ManyDatabasesTest {
    private static final int DATABASES = 300_000;
    private static final int BUCKETS = 120;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private static Path directory;

    private static String buckets = "";

    @BeforeAll
    static void writeFiles() throws IOException {
        StringBuilder list = new StringBuilder("database,bucket\n");
        for (int i = 0; i < DATABASES; i++) {
            list.append(database(i)).append(",rds-cliente-").append(i % BUCKETS).append('\n');
        }
        Files.writeString(directory.resolve("databases.csv"), list);
        StringBuilder yaml =
                new StringBuilder("defaults: {max_connections: 50}\ndatabases: {file: databases.csv}\nbuckets:\n");
        for (int i = 0; i < BUCKETS; i++) {
            yaml.append("  - {id: rds-cliente-")
                    .append(i)
                    .append(", host: rds-")
                    .append(i)
                    .append("}\n");
        }
        buckets = yaml.toString();
    }

    private static String database(int number) {
        return "Tenant_" + (1_000_000 + number) + "_Producao";
    }

    private static Reading read() {
        return new ConfigurationReader(name -> null, "machine").read("", buckets, directory);
    }

    @Test
    void everyOneOfThemIsRoutedAndNoOther() {
        Router router = read().orThrow().router();
        assertThat(router.databaseCount()).isEqualTo(DATABASES);
        List<Route> routes = IntStream.range(0, BUCKETS)
                .<Route>mapToObj(i -> new Route.To("rds-cliente-" + i, Route.Rule.DATABASE))
                .toList();
        for (int i = 0; i < DATABASES; i++) {
            Route route = router.route(database(i).toUpperCase(Locale.ROOT), "", "", "");
            if (!route.equals(routes.get(i % BUCKETS))) {
                throw new AssertionError(database(i) + " leads to " + route);
            }
        }
        assertThat(router.route(database(DATABASES), "", "", "")).isInstanceOf(Route.None.class);
    }

    /** Counted in the thread's own CPU time: a machine busy with something else is no slower by that measure. */
    @Test
    void theyLoadInUnderASecond() {
        long fastest = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            assertThat(read().configuration()).isPresent();
            fastest = Math.min(fastest, THREADS.getCurrentThreadCpuTime() - start);
        }
        System.out.printf("%,d databases load in %d ms%n", DATABASES, fastest / 1_000_000);
        assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void theyStayUnderFifteenMegabytes() {
        NameDirectory directory = directory();
        System.out.printf("%,d databases take %,d bytes%n", DATABASES, directory.footprint());
        assertThat(directory.footprint()).isBetween(DATABASES * 20L, 15L << 20);
    }

    @Test
    void lookingUpAllocatesNothing() {
        NameDirectory directory = directory();
        String known = database(4711).toUpperCase(Locale.ROOT);
        String unknown = "ação";
        long id = Thread.currentThread().threadId();
        long found = 0;
        for (int warmUp = 0; warmUp < 2; warmUp++) {
            long before = THREADS.getThreadAllocatedBytes(id);
            for (int i = 0; i < 100_000; i++) {
                found += directory.find(known) + directory.find(unknown);
            }
            // The measurement itself allocates a little; a lookup that allocated would show 1.6 MB or more.
            assertThat(THREADS.getThreadAllocatedBytes(id) - before).isLessThan(10_000);
        }
        assertThat(found).isEqualTo(2 * 100_000L * (4711 % BUCKETS - 1));
    }

    private static NameDirectory directory() {
        NameDirectory.Builder builder = new NameDirectory.Builder();
        builder.putIfAbsent("pattern_*", 0);
        for (int i = 0; i < DATABASES; i++) {
            builder.putIfAbsent(database(i), i % BUCKETS);
        }
        return builder.build();
    }
}
