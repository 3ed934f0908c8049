package dev.comporta.app;

import dev.comporta.ops.config.ConfigurationReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line: picks the command, nothing else. */
@Command(
        name = "comporta",
        synopsisSubcommandLabel = "COMMAND",
        description = "A connection-pooling proxy for SQL Server.")
public final class Main {
    @Mixin
    @SuppressWarnings("unused") // picocli answers it by itself
    private final HelpOption help = new HelpOption();

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .addSubcommand(new RunCommand(ConfigurationReader.ofThisProcess()))
                .addSubcommand(new CheckCommand(ConfigurationReader.ofThisProcess()));
    }
}
