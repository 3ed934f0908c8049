package dev.comporta.demo;

import dev.comporta.app.ProcessEnd;
import dev.comporta.app.command.HelpOption;
import dev.comporta.standin.control.Misbehaviour;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comporta demo}: the proxy with three stand-ins as servers and a small load, until it is stopped. */
@Command(
        name = "comporta demo",
        sortOptions = false,
        description = {
            "Starts the proxy with three embedded SQL Server stand-ins behind it and a small load before it, shows what it",
            "does, and says how to connect.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  ./comporta demo                                   on port 1433, or the next that is free",
            "  ./comporta demo --port 0 --no-load                on any free port, and only for you",
            "  ./comporta demo --misbehave slow=200ms            one of the servers answers late",
            "  ./comporta demo --misbehave dead-port             one of the servers is down"
        })
public final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "1433",
            description = "Port to listen on (default: ${DEFAULT-VALUE}); the next free one if it is taken.")
    private int port = 1433;

    @Option(names = "--no-load", description = "Start no load: only your requests are served.")
    private boolean noLoad;

    @Option(
            names = "--misbehave",
            paramLabel = "HOW",
            defaultValue = "none",
            description = "A fault that the server of bucket faro plays: see docs/standin.md.")
    private String misbehave = "none";

    @Mixin
    @SuppressWarnings("unused") // picocli handles it
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the call
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Demo demo;
        try {
            demo = Demo.start(port, misbehaviour());
        } catch (IOException e) {
            spec.commandLine().getErr().println("comporta: the demo could not start: " + e.getMessage());
            return 1;
        }
        out.print(demo.description());
        out.flush();
        List<String> buckets = Demo.BRANCHES.stream().map(Demo.Branch::bucket).toList();
        @Nullable Load load = noLoad ? null : Load.start(demo.port(), Load.CLIENTS);
        Display display =
                Display.start(() -> Figures.of(demo.proxy(), buckets), load == null ? () -> "" : load::trouble, out);
        Runnable before = () -> {
            display.close();
            if (load != null) {
                load.close();
            }
        };
        ProcessEnd.watch(demo.instance(), out, before, demo::close).await();
        return 0;
    }

    private Misbehaviour misbehaviour() {
        try {
            return Misbehaviour.parse(misbehave);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
