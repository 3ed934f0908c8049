package dev.comporta.app;

import dev.comporta.app.log.Logs;
import dev.comporta.app.service.ServiceNotice;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.proxy.HttpConfig;
import dev.comporta.ops.config.proxy.ListenerConfig;
import dev.comporta.ops.config.value.HostPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code comporta run}: the proxy. */
@Command(
        name = "run",
        sortOptions = false,
        description = {"Starts the proxy with proxy.yaml and buckets.yaml.", ""},
        footer = {
            "",
            "SIGTERM or Ctrl-C stops it: it is not ready from then on, accepts no more clients after drain_delay, and lets",
            "requests and transactions end, for at most shutdown_timeout. A second one cuts off clients.",
            "SIGHUP makes it read both files again, and its certificate, which it also does by itself when that has",
            "changed. The log goes to standard error; proxy.log configures it.",
            "With NOTIFY_SOCKET it notifies systemd when it is ready, reloads and stops, and of its health (Type=notify).",
            "Exit code: 0 when it was stopped; 1 when it could not start; 2 when the command was misspelt; 3 when one of its",
            "event loops ended by an error, such as no memory: start it again.",
            "",
            "Examples:",
            "  ./comporta run --config deploy/proxy.yaml --buckets deploy/buckets.yaml"
        })
final class RunCommand implements Callable<Integer> {
    private static final int NOT_STARTED = 1;
    static final int LOOP_ENDED = 3;

    @Mixin
    private final ConfigurationFiles files;

    RunCommand(ConfigurationReader reader) {
        files = new ConfigurationFiles(reader);
    }

    /** Not a constant: an instance is made for every command, and most need no log, which takes time to set up. */
    private static Logger log() {
        return LoggerFactory.getLogger(RunCommand.class);
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            return run();
        } finally {
            Logs.flush();
        }
    }

    private int run() throws InterruptedException {
        PrintWriter err = files.err();
        Reading reading = files.read();
        if (reading.configuration().isEmpty()) {
            reading.problems().forEach(err::println);
            err.println("comporta: not started, because of the errors above");
            return NOT_STARTED;
        }
        Configuration configuration = reading.orThrow();
        Logs.apply(configuration.proxy().log());
        Logger log = log();
        // Through the log, so that a log in JSON contains nothing but JSON.
        reading.problems().forEach(warning -> log.warn("{}", warning));
        NotServed.warning(reading).ifPresent(log::warn);
        Instance instance;
        try {
            instance = Instance.start(reading, files::read);
        } catch (IOException e) {
            err.println("comporta: not started: " + e.getMessage());
            return NOT_STARTED;
        }
        serve(configuration, instance);
        return 0;
    }

    private void serve(Configuration configuration, Instance instance) throws InterruptedException {
        ServiceNotice notice = ServiceNotice.of(System::getenv);
        // First: SIGHUP may come as soon as the instance listens, and without a handler it ends the process.
        Signals.onHangup(() -> notice.whileReloading(instance::reload));
        ProcessEnd end = ProcessEnd.watch(
                instance,
                files.out(),
                () -> notice.stopping(instance.drainPlan().longest()),
                () -> {});
        exitWhenALoopEnds(instance);
        describe(configuration, instance, files.out());
        notice.ready("listening, " + count(configuration.buckets().size()));
        notice.whileAlive(instance.proxy().watch()::silence);
        end.await();
    }

    /** Ends the process: the buckets of a dead event loop are never served again, and their clients can't be drained. */
    @SuppressWarnings("FutureReturnValueIgnored") // if this action failed, nothing could report it
    private static void exitWhenALoopEnds(Instance instance) {
        Logger log = log();
        instance.proxy().watch().ended().thenAccept(what -> {
            log.error("{}; stopping with exit code {}, clients are disconnected", what, LOOP_ENDED);
            Logs.flush();
            Runtime.getRuntime().halt(LOOP_ENDED);
        });
    }

    static void describe(Configuration configuration, Instance instance, PrintWriter out) {
        for (BucketConfig bucket : configuration.buckets()) {
            out.printf(
                    "bucket %s at %s, at most %d connections, %s mode%n",
                    bucket.id(),
                    bucket.servers().stream().map(HostPort::toString).collect(Collectors.joining(", then ")),
                    bucket.capacity().maxConnections(),
                    bucket.poolMode().name().toLowerCase(Locale.ROOT));
        }
        long millis = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        for (ListenerConfig listener : configuration.proxy().listeners()) {
            out.printf(
                    "listening on %s:%d, %s, TLS %s, %s, started in %d ms%n",
                    listener.address(),
                    instance.proxy().port(listener.name()),
                    count(configuration.buckets().size()),
                    configuration.proxy().tls().mode().name().toLowerCase(Locale.ROOT),
                    instance.proxy().transport().name().toLowerCase(Locale.ROOT),
                    millis);
        }
        HttpConfig http = configuration.proxy().http();
        out.printf(
                "health on %s/health, metrics on %s/metrics%n",
                url(http, http.healthCheckAddress(), instance.healthPort()),
                url(http, http.metricsAddress(), instance.metricsPort()));
        out.flush();
    }

    private static String count(int buckets) {
        return buckets + (buckets == 1 ? " bucket" : " buckets");
    }

    private static String url(HttpConfig http, String address, int port) {
        String host = address.equals("0.0.0.0") || address.equals("::") ? "localhost" : address;
        String shown = host.contains(":") ? "[" + host + "]" : host;
        return (http.isEncrypted() ? "https://" : "http://") + shown + ":" + port;
    }
}
