package dev.comporta.app;

import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The two files, as the commands that read them are told where they are. */
final class ConfigurationFiles {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "proxy.yaml",
            description = "The settings of the instance (default: ${DEFAULT-VALUE}).")
    private Path config = Path.of("proxy.yaml");

    @Option(
            names = "--buckets",
            paramLabel = "FILE",
            defaultValue = "buckets.yaml",
            description = "The databases (default: ${DEFAULT-VALUE}).")
    private Path buckets = Path.of("buckets.yaml");

    Reading read(ConfigurationReader reader) {
        return reader.read(config, buckets);
    }
}
