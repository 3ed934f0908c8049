package dev.comporta.ops.config;

import dev.comporta.ops.config.yaml.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads texts as the two files, for tests. */
public final class Readings {
    static final String ONE_BUCKET = """
            buckets:
              - id: b1
                host: db
                database: App
                max_connections: 40
            """;

    private Readings() {}

    public static Reading of(String proxy, String buckets) {
        return of(proxy, buckets, Path.of("/nowhere"), Map.of());
    }

    public static Reading of(String proxy, String buckets, Path directory, Map<String, String> environment) {
        return new ConfigurationReader(environment::get, "machine").read(proxy, buckets, directory);
    }

    /** The problems as people see them. */
    static List<String> problems(String proxy, String buckets) {
        return lines(of(proxy, buckets));
    }

    static List<String> problemsOfProxy(String proxy) {
        return problems(proxy, ONE_BUCKET);
    }

    static List<String> problemsOfBuckets(String buckets) {
        return problems("", buckets);
    }

    /** One bucket with these lines added, which therefore begin in line 6. */
    static List<String> problemsOfBucket(String lines) {
        return problemsOfBuckets(ONE_BUCKET + lines.indent(4));
    }

    static List<String> lines(Reading reading) {
        return reading.problems().stream().map(Problem::toString).toList();
    }
}
