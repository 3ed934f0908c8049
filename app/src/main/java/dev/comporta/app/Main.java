package dev.comporta.app;

import dev.comporta.app.command.AdminCommand;
import dev.comporta.app.command.HelpOption;
import dev.comporta.app.command.TopCommand;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.proxy.names.SystemNames;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line: picks the command, nothing else. */
@Command(
        name = "comporta",
        synopsisSubcommandLabel = "COMMAND",
        description = "A connection-pooling proxy for SQL Server.")
public final class Main {
    @Mixin
    @SuppressWarnings("unused") // picocli handles it
    private final HelpOption help = new HelpOption();

    @Option(names = "--version", versionHelp = true, description = "Print the version.")
    @SuppressWarnings("unused") // as above
    private boolean version;

    private Main() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("run")) {
            // Before the first name is looked up: instance_id defaults to this host's name. The other commands need
            // not load the data plane.
            SystemNames.switchOffCache();
            // OpenSSL always refuses it; the JDK's TLS, used where OpenSSL does not run, needs the property before it
            // is loaded.
            System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        }
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine comporta = new CommandLine(new Main());
        comporta.getCommandSpec().versionProvider(() -> new String[] {"comporta " + Version.text()});
        return comporta.addSubcommand(new RunCommand(ConfigurationReader.ofThisProcess()))
                .addSubcommand(new CheckCommand(ConfigurationReader.ofThisProcess()))
                .addSubcommand(new AdminCommand(System::getenv, System.in))
                .addSubcommand(new TopCommand(System::getenv))
                .setCaseInsensitiveEnumValuesAllowed(true);
    }
}
