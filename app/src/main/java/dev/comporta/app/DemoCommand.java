package dev.comporta.app;

import dev.comporta.standin.Misbehaviour;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comporta demo}: starts the stand-in and tells how to connect, until it is stopped. */
@Command(
        name = "demo",
        sortOptions = false,
        description = {"Starts an embedded SQL Server stand-in with a sample database, and says how to connect.", ""},
        footer = {
            "",
            "Examples:",
            "  ./comporta demo                                   on port 1433, or the next that is free",
            "  ./comporta demo --port 0                          on any free port",
            "  ./comporta demo --misbehave slow=200ms            answers late",
            "  ./comporta demo --misbehave refuse-logins         lets nobody in"
        })
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "1433",
            description = "Where to listen (default: ${DEFAULT-VALUE}); the next free one when it is taken.")
    private int port = 1433;

    @Option(
            names = "--misbehave",
            paramLabel = "HOW",
            defaultValue = "none",
            description = "How it is to go wrong, as clients must expect of a server: see docs/standin.md.")
    private String misbehave = "none";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("unused") // picocli answers it by itself
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (Demo demo = Demo.start(port, misbehaviour())) {
            out.print(demo.description());
            out.flush();
            new CountDownLatch(1).await();
            return 0;
        } catch (IOException e) {
            spec.commandLine().getErr().println("comporta: the stand-in could not start: " + e.getMessage());
            return 1;
        }
    }

    private Misbehaviour misbehaviour() {
        try {
            return Misbehaviour.parse(misbehave);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
