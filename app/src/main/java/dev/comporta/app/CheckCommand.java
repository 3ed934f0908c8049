package dev.comporta.app;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Problem;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code comporta check}: reports whether an instance would start with these files, and all problems in them. */
@Command(
        name = "check",
        sortOptions = false,
        description = {
            "Reads proxy.yaml and buckets.yaml as 'run' would, connects to nothing, and says what is wrong.",
            ""
        },
        footer = {
            "",
            "Each problem is one line: file:line:column: error or warning: key: what is wrong, and what to do.",
            "Exit code: 0 when the files can be used, warnings or not; 1 when they can't; 2 when the command was misspelt.",
            "",
            "Examples:",
            "  ./comporta check --config deploy/proxy.yaml --buckets deploy/buckets.yaml",
            "  ./comporta check --strict                   in CI: a warning fails too",
            "  ./comporta check --show | grep reservoir    the settings in force, defaults included"
        })
final class CheckCommand implements Callable<Integer> {
    private static final int USABLE = 0;
    private static final int UNUSABLE = 1;

    @Mixin
    private final ConfigurationFiles files;

    @Option(names = "--show", description = "Print every setting in force and where it comes from, secrets masked.")
    private boolean show;

    @Option(names = "--strict", description = "Let a warning fail the check.")
    private boolean strict;

    CheckCommand(ConfigurationReader reader) {
        files = new ConfigurationFiles(reader);
    }

    @Override
    public Integer call() {
        Reading reading = files.readAndReport();
        if (show) {
            reading.effective().forEach(setting -> files.out().println(describe(setting)));
        }
        List<String> unsafe = errorsIn(reading) > 0
                ? List.of()
                : reading.orThrow().buckets().stream()
                        .flatMap(bucket -> HealthQuery.problem(bucket).stream())
                        .toList();
        unsafe.forEach(files.err()::println);
        long errors = errorsIn(reading) + unsafe.size();
        long warnings = count(reading, Problem.Severity.WARNING);
        if (errors > 0 || (strict && warnings > 0)) {
            files.err().println("FAILED: " + plural(errors, "error") + ", " + plural(warnings, "warning"));
            return UNUSABLE;
        }
        String note = warnings == 0 ? "" : ", " + plural(warnings, "warning");
        files.out().println("OK: " + summary(reading.orThrow()) + note);
        return USABLE;
    }

    private static String describe(Findings.Effective setting) {
        return setting.path() + ": " + setting.value() + "  # " + setting.origin();
    }

    private static long errorsIn(Reading reading) {
        return count(reading, Problem.Severity.ERROR);
    }

    private static long count(Reading reading, Problem.Severity severity) {
        return reading.problems().stream()
                .filter(problem -> problem.severity() == severity)
                .count();
    }

    private static String summary(Configuration configuration) {
        int connections = configuration.buckets().stream()
                .map(BucketConfig::capacity)
                .mapToInt(capacity -> capacity.maxConnections())
                .sum();
        String leases = configuration
                .fleet()
                .redis()
                .map(redis -> "slots in Redis at " + redis.addresses().getFirst())
                .or(() -> configuration.fleet().dynamodb().map(dynamo -> "slots in DynamoDB table " + dynamo.table()))
                .orElse("slots counted in this process alone");
        return plural(configuration.buckets().size(), "bucket") + ", " + plural(connections, "connection") + " in all, "
                + plural(configuration.router().databaseCount(), "database") + " routed, " + leases;
    }

    private static String plural(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
