package dev.comporta.app;

import dev.comporta.app.console.Event;
import dev.comporta.app.console.EventLog;
import dev.comporta.app.console.Settings.Applied;
import dev.comporta.app.log.Logs;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.Overlay;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.value.DurationText;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Problem;
import dev.comporta.ops.config.yaml.YamlFile;
import dev.comporta.ops.route.Router;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.proxy.watch.ClientLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the current files to a running instance: buckets are added, changed and removed, and new clients follow the new
 * routes. Files with errors change nothing. Changes that need a restart are logged at each reload. Control plane: it blocks,
 * one reload after the other.
 */
final class Reloads {
    /** Added to the time that a removed bucket gives its clients: for closing server connections and giving back slots. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Reloads.class);

    private final Supplier<Reading> files;
    private final Proxy proxy;
    private final AtomicReference<Router> router;
    private final EventLog events;
    /** The buckets that clients are routed to. */
    private Map<String, BucketSpec> specs;
    /** Buckets that were removed, and may still have clients. */
    private final Map<String, Thread> leaving = new HashMap<>();

    /** The content of the files when they were last applied. Commands since then are in {@link #overlay}. */
    private Reading base;

    private Overlay overlay = Overlay.NONE;
    private Map<String, String> inForce;
    private volatile List<Findings.Effective> settings;
    private volatile Configuration running;

    /**
     * @param started the configuration that the instance was started with
     * @param router routes new clients: replaced with each reload
     */
    Reloads(
            Reading started,
            Supplier<Reading> files,
            Proxy proxy,
            AtomicReference<Router> router,
            Map<String, BucketSpec> specs,
            EventLog events) {
        this.files = files;
        this.events = events;
        this.proxy = proxy;
        this.router = router;
        this.specs = new TreeMap<>(specs);
        base = started;
        running = started.orThrow();
        inForce = SettingsDiff.byPath(started.effective());
        settings = started.effective();
    }

    /** The configuration in force, except for settings that need a restart. Any thread. */
    Configuration running() {
        return running;
    }

    /** Every setting with the value in force. Any thread. */
    List<Findings.Effective> settings() {
        return settings;
    }

    /** Reads the files. If they can be used, changes made by {@link #change} are lost. */
    synchronized Applied reload() {
        Reading reading = files.get();
        Applied done = apply(reading);
        if (done.applied()) {
            base = reading;
            overlay = Overlay.NONE;
        }
        String changes = done.lines().isEmpty() ? ": nothing changed." : ": " + joined(done);
        events.add(
                Event.Kind.RELOAD,
                "",
                done.applied()
                        ? "Configuration reloaded" + changes
                        : "Reload failed, configuration unchanged: " + joined(done));
        return done;
    }

    private static String joined(Applied done) {
        return String.join("; ", done.lines());
    }

    /** Changes the settings as they were last read from the files: all of the edits, or none. */
    synchronized Applied change(List<Edit> edits) {
        Overlay wanted = overlay.plus(edits);
        Applied done = apply(base.changed().apply(wanted));
        if (done.applied()) {
            overlay = wanted;
        }
        return done;
    }

    private Applied apply(Reading reading) {
        for (Problem problem : reading.problems()) {
            switch (problem.severity()) {
                case ERROR -> log.error("{}", problem);
                case WARNING -> log.warn("{}", problem);
            }
        }
        String failure = "interrupted";
        try {
            if (reading.configuration().isPresent()) {
                return takeOver(reading, reading.orThrow());
            }
            log.error("reload failed, configuration unchanged (errors above)");
            return new Applied(false, problems(reading, Problem.Severity.ERROR), List.of());
        } catch (IOException e) {
            log.error("reload failed, configuration unchanged: {}", e.getMessage());
            failure = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Applied(false, List.of(failure), List.of());
    }

    /** Problems as lines of text. A problem caused by a command has no line in a file. */
    private static List<String> problems(Reading reading, Problem.Severity severity) {
        return reading.problems().stream()
                .filter(problem -> problem.severity() == severity)
                .map(problem -> problem.where().equals(YamlFile.EDITED)
                        ? problem.key() + ": " + problem.what() + " " + problem.advice()
                        : problem.toString())
                .toList();
    }

    private Applied takeOver(Reading reading, Configuration next) throws IOException, InterruptedException {
        // Everything that can fail comes first, so that all of it is applied, or nothing.
        Map<String, BucketSpec> wanted = new TreeMap<>();
        List<BucketSpec> added = new ArrayList<>();
        List<BucketSpec> changed = new ArrayList<>();
        for (BucketConfig bucket : next.buckets()) {
            BucketSpec before = specs.get(bucket.id());
            BucketSpec now = before == null
                    ? Wiring.bucket(bucket, next.proxy())
                    : Wiring.bucket(bucket, next.proxy(), before.dial());
            wanted.put(bucket.id(), now);
            if (before == null) {
                awaitEndOf(bucket.id());
                added.add(now);
            } else if (!now.equals(before)) {
                changed.add(now);
            }
        }
        Logs.apply(next.proxy().log());
        proxy.add(added);
        changed.forEach(proxy::reconfigure);
        router.set(next.router());
        Set<String> removed = without(specs.keySet(), wanted.keySet());
        removed.forEach(bucket -> remove(bucket, next.proxy().timeouts().shutdown()));
        Applied done = report(reading, next, without(wanted.keySet(), specs.keySet()), removed);
        specs = wanted;
        running = next;
        events.slowRequests().configure(next.proxy().slowLog());
        return done;
    }

    private static Set<String> without(Set<String> all, Set<String> those) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(those);
        return rest;
    }

    /** A bucket that is added again waits until the removed one has closed: both share an entry in the fleet's books. */
    private void awaitEndOf(String bucket) throws IOException, InterruptedException {
        Thread end = leaving.get(bucket);
        if (end == null) {
            return;
        }
        if (!end.join(running.proxy().timeouts().shutdown().plus(FAREWELL))) {
            throw new IOException("bucket " + bucket
                    + " was removed, and its connections are still being closed. Reload again later");
        }
        leaving.remove(bucket);
    }

    private void remove(String bucket, Duration atMost) {
        leaving.put(bucket, Thread.ofVirtual().name("remove-" + bucket).start(() -> {
            try {
                boolean inTime = proxy.remove(bucket, atMost);
                log.atInfo()
                        .addKeyValue(ClientLines.BUCKET, bucket)
                        .log(
                                "bucket {} closed: {}",
                                bucket,
                                inTime
                                        ? "all clients have left"
                                        : "shutdown_timeout expired, remaining clients disconnected");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private Applied report(Reading reading, Configuration next, Set<String> added, Set<String> removed) {
        Set<String> kept = without(specs.keySet(), removed);
        Map<String, String> wanted = SettingsDiff.byPath(reading.effective());
        SettingsDiff diff = SettingsDiff.between(inForce, wanted, kept);
        inForce = SettingsDiff.afterwards(inForce, wanted, kept);
        settings = SettingsDiff.withOrigins(inForce, reading.effective());
        List<String> lines = new ArrayList<>();
        added.forEach(bucket -> lines.add("bucket " + bucket + " added"));
        String atMost = DurationText.format(next.proxy().timeouts().shutdown());
        removed.forEach(bucket -> lines.add("bucket " + bucket + " removed; draining its clients for up to " + atMost));
        lines.addAll(diff.taken());
        lines.forEach(line -> log.info("{}", line));
        List<String> afterRestart = new ArrayList<>(diff.afterRestart());
        // Secrets are masked in the settings, so the records are compared.
        if (!next.fleet().redis().equals(running.fleet().redis())
                && afterRestart.stream().noneMatch(path -> path.startsWith("redis."))) {
            afterRestart.add("redis.password");
        }
        if (!afterRestart.isEmpty()) {
            log.warn("changed, and needs a restart: {}", String.join(", ", afterRestart));
        }
        log.info("configuration reloaded");
        problems(reading, Problem.Severity.WARNING).forEach(warning -> lines.add("warning: " + warning));
        return new Applied(true, lines, afterRestart);
    }
}
