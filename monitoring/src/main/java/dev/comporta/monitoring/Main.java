package dev.comporta.monitoring;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./comporta monitoring}: writes dashboards and alert rules. */
@Command(
        name = "comporta monitoring",
        description = "Writes Grafana's dashboards and Prometheus' alert rules.",
        mixinStandardHelpOptions = false)
public final class Main implements Callable<Integer> {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli handles it
    private boolean help;

    @Option(
            names = "--runbook",
            paramLabel = "URL",
            defaultValue = MonitoringFiles.RUNBOOK,
            description = "Address of docs/runbook.md, to which alerts link (${DEFAULT-VALUE}).")
    private String runbook = MonitoringFiles.RUNBOOK;

    @Parameters(
            paramLabel = "DIRECTORY",
            defaultValue = "deploy",
            description = "Directory to write to, laid out as deploy/ (${DEFAULT-VALUE}).")
    private Path directory = Path.of("deploy");

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        MonitoringFiles.write(directory, runbook);
        System.out.println("Wrote dashboards and alert rules below " + directory);
        return 0;
    }
}
