package dev.comporta.app.command;

import picocli.CommandLine.Option;

/** What every command understands. Public for those in other packages. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("unused") // picocli answers it by itself
    private boolean help;
}
