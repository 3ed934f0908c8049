package dev.comporta.app.command;

import picocli.CommandLine.Option;

/** The option {@code --help} of every command. Public for commands in other packages. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("unused") // picocli handles it
    private boolean help;
}
