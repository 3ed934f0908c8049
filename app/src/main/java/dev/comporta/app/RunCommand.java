package dev.comporta.app;

import dev.comporta.ops.config.BucketConfig;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.ListenerSettings;
import dev.comporta.ops.config.Reading;
import dev.comporta.proxy.Proxy;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comporta run}: the proxy, until it is told to stop. */
@Command(
        name = "run",
        sortOptions = false,
        description = {"Starts the proxy with proxy.yaml and buckets.yaml.", ""},
        footer = {
            "",
            "SIGTERM or Ctrl-C stops it: no more clients are accepted, requests and transactions may end, for at most",
            "shutdown_timeout. The log goes to standard error; COMPORTA_LOG=DEBUG makes it tell more.",
            "Exit code: 0 when it was stopped; 1 when it could not start; 2 when the command was misspelt.",
            "",
            "Examples:",
            "  ./comporta run --config deploy/proxy.yaml --buckets deploy/buckets.yaml"
        })
final class RunCommand implements Callable<Integer> {
    private static final int NOT_STARTED = 1;

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

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.")
    @SuppressWarnings("unused") // picocli answers it by itself
    private boolean help;

    private final ConfigurationReader reader;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    RunCommand(ConfigurationReader reader) {
        this.reader = reader;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Reading reading = reader.read(config, buckets);
        reading.problems().forEach(err::println);
        if (reading.configuration().isEmpty()) {
            err.println("comporta: not started, because of the errors above");
            return NOT_STARTED;
        }
        NotServed.warning(reading).ifPresent(warning -> err.println("comporta: warning: " + warning));
        Configuration configuration = reading.orThrow();
        Proxy proxy;
        try {
            proxy = Wiring.start(configuration);
        } catch (IOException e) {
            err.println("comporta: not started: " + e.getMessage());
            return NOT_STARTED;
        }
        describe(configuration, proxy, out);
        Duration atMost = configuration.proxy().timeouts().shutdown();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(proxy, atMost, out), "stop"));
        new CountDownLatch(1).await();
        return 0;
    }

    static void describe(Configuration configuration, Proxy proxy, PrintWriter out) {
        for (BucketConfig bucket : configuration.buckets()) {
            out.printf(
                    "bucket %s at %s:%d, at most %d connections, %s mode%n",
                    bucket.id(),
                    bucket.host(),
                    bucket.port(),
                    bucket.capacity().maxConnections(),
                    bucket.poolMode().name().toLowerCase(Locale.ROOT));
        }
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        for (ListenerSettings listener : configuration.proxy().listeners()) {
            int count = configuration.buckets().size();
            out.printf(
                    "listening on %s:%d, %d bucket%s, TLS %s, started in %d ms%n",
                    listener.address(),
                    proxy.port(listener.name()),
                    count,
                    count == 1 ? "" : "s",
                    configuration.proxy().tls().mode().name().toLowerCase(Locale.ROOT),
                    millis);
        }
        out.flush();
    }

    /** On the JVM's way down: a signal that was heeded is no failure, so the exit code is 0. */
    private static void stop(Proxy proxy, Duration atMost, PrintWriter out) {
        try {
            out.println("stopping: waiting for requests and transactions to end");
            out.flush();
            boolean drained = proxy.drain(atMost);
            proxy.close();
            out.println(drained ? "stopped" : "stopped: the time was over, and clients were cut off");
            out.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }
}
