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
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code comporta run}: the proxy, until it is told to stop. */
@Command(
        name = "run",
        sortOptions = false,
        description = {"Starts the proxy with proxy.yaml and buckets.yaml.", ""},
        footer = {
            "",
            "SIGTERM or Ctrl-C stops it: no more clients are accepted, requests and transactions may end, for at most",
            "shutdown_timeout. SIGHUP makes it read its certificate again, which it also does by itself when the files",
            "have changed. The log goes to standard error; COMPORTA_LOG=DEBUG makes it tell more.",
            "Exit code: 0 when it was stopped; 1 when it could not start; 2 when the command was misspelt.",
            "",
            "Examples:",
            "  ./comporta run --config deploy/proxy.yaml --buckets deploy/buckets.yaml"
        })
final class RunCommand implements Callable<Integer> {
    private static final int NOT_STARTED = 1;

    @Mixin
    private ConfigurationFiles files = new ConfigurationFiles();

    @Mixin
    @SuppressWarnings("unused") // picocli answers it by itself
    private HelpOption help = new HelpOption();

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
        Reading reading = files.read(reader);
        reading.problems().forEach(err::println);
        if (reading.configuration().isEmpty()) {
            err.println("comporta: not started, because of the errors above");
            return NOT_STARTED;
        }
        NotServed.warning(reading).ifPresent(warning -> err.println("comporta: warning: " + warning));
        Configuration configuration = reading.orThrow();
        Instance instance;
        try {
            instance = Instance.start(configuration);
        } catch (IOException e) {
            err.println("comporta: not started: " + e.getMessage());
            return NOT_STARTED;
        }
        describe(configuration, instance.proxy(), out);
        Signals.onHangup(instance::reload);
        Signals.stopWhenTold(instance, configuration.proxy().timeouts().shutdown(), out, () -> {}, () -> {});
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
}
