package dev.comporta.app;

import dev.comporta.app.command.HelpOption;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of commands that read the two files: reads them and prints their problems. */
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

    @Mixin
    @SuppressWarnings("unused") // picocli handles it
    private HelpOption help = new HelpOption();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli before the call
    private CommandSpec command;

    private final ConfigurationReader reader;

    ConfigurationFiles(ConfigurationReader reader) {
        this.reader = reader;
    }

    /** Reads the current files. */
    Reading read() {
        return reader.read(config, buckets);
    }

    /** Reads the current files, and prints their problems on standard error. */
    Reading readAndReport() {
        Reading reading = read();
        reading.problems().forEach(err()::println);
        return reading;
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    PrintWriter err() {
        return command.commandLine().getErr();
    }
}
