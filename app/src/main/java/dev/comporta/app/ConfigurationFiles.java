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

/** What the commands that read the two files have in common: where they are, and that their problems are told. */
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
    @SuppressWarnings("unused") // picocli answers it by itself
    private HelpOption help = new HelpOption();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec command;

    private final ConfigurationReader reader;

    ConfigurationFiles(ConfigurationReader reader) {
        this.reader = reader;
    }

    /** As they are now. */
    Reading read() {
        return reader.read(config, buckets);
    }

    /** The same, and every problem in them on standard error. */
    Reading readAndTell() {
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
