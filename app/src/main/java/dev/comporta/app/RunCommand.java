package dev.comporta.app;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.proxy.ListenerConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code comporta run}: the proxy, until it is told to stop. */
@Command(
        name = "run",
        sortOptions = false,
        description = {"Starts the proxy with proxy.yaml and buckets.yaml.", ""},
        footer = {
            "",
            "SIGTERM or Ctrl-C stops it: no more clients are accepted, requests and transactions may end, for at most",
            "shutdown_timeout. SIGHUP makes it read both files again, and its certificate, which it also does by itself",
            "when that has changed. The log goes to standard error; COMPORTA_LOG=DEBUG makes it tell more.",
            "Exit code: 0 when it was stopped; 1 when it could not start; 2 when the command was misspelt; 3 when one of its",
            "event loops ended by an error, such as no memory: start it again.",
            "",
            "Examples:",
            "  ./comporta run --config deploy/proxy.yaml --buckets deploy/buckets.yaml"
        })
final class RunCommand implements Callable<Integer> {
    private static final int NOT_STARTED = 1;
    static final int LOOP_ENDED = 3;

    private static final Logger log = LoggerFactory.getLogger(RunCommand.class);

    @Mixin
    private final ConfigurationFiles files;

    RunCommand(ConfigurationReader reader) {
        files = new ConfigurationFiles(reader);
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = files.err();
        Reading reading = files.readAndTell();
        if (reading.configuration().isEmpty()) {
            err.println("comporta: not started, because of the errors above");
            return NOT_STARTED;
        }
        NotServed.warning(reading).ifPresent(warning -> err.println("comporta: warning: " + warning));
        Configuration configuration = reading.orThrow();
        Instance instance;
        try {
            instance = Instance.start(reading, files::read);
        } catch (IOException e) {
            err.println("comporta: not started: " + e.getMessage());
            return NOT_STARTED;
        }
        Signals.onHangup(instance::reload); // who reads that it listens may send one, which would end it otherwise
        instance.onDrainCommand(() -> Runtime.getRuntime().exit(0)); // on whose way down it is drained, as by SIGTERM
        exitWhenALoopEnds(instance);
        describe(configuration, instance, files.out());
        Signals.stopWhenTold(instance, files.out(), () -> {}, () -> {});
        return 0;
    }

    /** Without it half of the buckets are served by nobody, for good. There is nothing left that could be drained. */
    @SuppressWarnings("FutureReturnValueIgnored") // what would tell of a failure is what fails
    private static void exitWhenALoopEnds(Instance instance) {
        instance.proxy().watch().ended().thenAccept(what -> {
            log.error("{}; stopping with exit code {}, clients are disconnected", what, LOOP_ENDED);
            Runtime.getRuntime().halt(LOOP_ENDED);
        });
    }

    static void describe(Configuration configuration, Instance instance, PrintWriter out) {
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
        for (ListenerConfig listener : configuration.proxy().listeners()) {
            int count = configuration.buckets().size();
            out.printf(
                    "listening on %s:%d, %d bucket%s, TLS %s, %s, started in %d ms%n",
                    listener.address(),
                    instance.proxy().port(listener.name()),
                    count,
                    count == 1 ? "" : "s",
                    configuration.proxy().tls().mode().name().toLowerCase(Locale.ROOT),
                    instance.proxy().transport().name().toLowerCase(Locale.ROOT),
                    millis);
        }
        out.printf(
                "health on http://localhost:%d/health, metrics on http://localhost:%d/metrics%n",
                instance.healthPort(), instance.metricsPort());
        out.flush();
    }
}
