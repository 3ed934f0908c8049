package dev.comporta.app;

import dev.comporta.app.api.AdminApi;
import dev.comporta.app.console.AdminAccess;
import dev.comporta.app.console.AdminConsole;
import dev.comporta.app.console.DrainPlan;
import dev.comporta.app.console.Event;
import dev.comporta.app.console.EventLog;
import dev.comporta.app.console.Settings.Applied;
import dev.comporta.app.live.LivePage;
import dev.comporta.app.log.Logs;
import dev.comporta.app.recent.Recent;
import dev.comporta.console.Console;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.config.proxy.TimeoutConfig;
import dev.comporta.ops.config.value.DurationText;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.route.Router;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketLoop;
import dev.comporta.proxy.loop.BucketSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running instance: the data plane and the control plane. */
public final class Instance implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Instance.class);

    /** The time to wait for a figure in a log line. */
    private static final Duration GLANCE = Duration.ofSeconds(1);

    private static final Applied STOPS = new Applied(false, List.of("This instance stops."), List.of());

    private final Proxy proxy;
    private final Certificates certificates;
    private final Reloads reloads;
    private final Lookout lookout;
    private final HttpEndpoints http;
    private final Optional<FleetLog> fleetLog;
    private final Console console;
    private final EventLog events;
    private final Recent recent;
    private final BackgroundWork work;
    private final LivePage live;
    private volatile Runnable stop;
    /** The thread that stops the instance; null until it stops. */
    private final AtomicReference<@Nullable Thread> stopping = new AtomicReference<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    private Instance(
            Proxy proxy,
            Certificates certificates,
            Reloads reloads,
            Lookout lookout,
            HttpEndpoints http,
            Optional<Fleet> fleet,
            EventLog events,
            BackgroundWork work) {
        this.proxy = proxy;
        this.certificates = certificates;
        this.reloads = reloads;
        this.lookout = lookout;
        this.http = http;
        this.events = events;
        this.work = work;
        Configuration configuration = reloads.running();
        String name = configuration.proxy().instanceId();
        fleetLog = fleet.map(with -> FleetLog.start(name, with));
        stop = this::stop;
        recent = Recent.start(proxy);
        console = AdminConsole.of(
                configuration.proxy().admin().database(),
                proxy,
                lookout,
                () -> fleet.map(with -> with.sight().leases()).orElse(List.of()),
                recent,
                new InstanceSettings(this, reloads),
                events);
        Supplier<AdminConfig> admin = () -> reloads.running().proxy().admin();
        String banner = "Comporta on Java " + Runtime.version().feature();
        proxy.openConsole(new AdminAccess(admin, console, name, banner, work));
        AdminApi api = new AdminApi(admin, console, name, events, work);
        live = new LivePage(name, Version.text(), admin, api, proxy, lookout, recent, events, console, work);
        http.open(api, live);
    }

    /** Starts an instance with a configuration that no reload changes. It listens when this returns. */
    public static Instance start(Configuration configuration) throws IOException {
        Reading fixed = Reading.fixed(configuration);
        return start(fixed, () -> fixed);
    }

    /**
     * Starts an instance whose configuration {@link #reload} can change.
     *
     * @param again reads the current files
     */
    public static Instance start(Reading first, Supplier<Reading> again) throws IOException {
        Configuration configuration = first.orThrow();
        String name = configuration.proxy().instanceId();
        Logs.apply(configuration.proxy().log());
        Certificates.Loading loading = new Certificates.Loading(configuration.proxy());
        Map<String, BucketSpec> buckets = Wiring.buckets(configuration);
        AtomicReference<Router> router = new AtomicReference<>(configuration.router());
        EventLog events = new EventLog();
        events.slowRequests().configure(configuration.proxy().slowLog());
        Optional<Fleet> fleet = Fleet.of(configuration, events);
        Lookout lookout = new Lookout(name, fleet);
        BackgroundWork work = new BackgroundWork();
        HttpEndpoints http = null;
        Proxy proxy = null;
        try {
            // HTTP first, so that probes see that the instance is alive and not ready yet.
            http = HttpEndpoints.start(configuration.proxy(), lookout, loading.http(), work);
            loading.awaitFiles();
            proxy = Wiring.start(
                    configuration, loading.clients(), buckets.values(), router::get, leases(fleet), events);
            Certificates certificates = loading.await(); // the instance listens already
            lookout.running(proxy, certificates::expiry);
            return new Instance(
                    proxy,
                    certificates,
                    new Reloads(first, again, proxy, router, buckets, events),
                    lookout,
                    http,
                    fleet,
                    events,
                    work);
        } catch (IOException | RuntimeException e) {
            if (http != null) {
                http.close();
            }
            if (proxy != null) {
                proxy.close();
            }
            loading.close();
            leases(fleet).close();
            events.slowRequests().close();
            throw e;
        }
    }

    private static LeaseSource leases(Optional<Fleet> fleet) {
        return fleet.map(Fleet::leases).orElse(LeaseSource.LOCAL);
    }

    public Proxy proxy() {
        return proxy;
    }

    /** The console, for every kind of connection of an administrator. */
    public Console console() {
        return console;
    }

    /** The recent history of the buckets. */
    public Recent recent() {
        return recent;
    }

    /** Runs the requests to the console, the API and the metrics. */
    BackgroundWork work() {
        return work;
    }

    /** The port of the health checks, also if the system has chosen it. */
    public int healthPort() {
        return http.healthPort();
    }

    public int metricsPort() {
        return http.metricsPort();
    }

    /** How the instance drains when it stops, as configured. */
    public DrainPlan drainPlan() {
        TimeoutConfig timeouts = reloads.running().proxy().timeouts();
        return new DrainPlan(timeouts.drainDelay(), timeouts.shutdown());
    }

    /** How many clients are logged in. */
    int clients() {
        return proxy.glances(GLANCE).values().stream()
                .mapToInt(BucketLoop.Glance::clients)
                .sum();
    }

    /**
     * Reads the certificate and the configuration again, and applies all that can change at run time. Blocks until that is
     * done; does not wait for the clients of removed buckets. Does nothing while the instance stops.
     */
    public Applied reload() {
        if (!lookout.isRunning()) {
            return STOPS;
        }
        certificates.reload();
        Applied done = reloads.reload();
        lookout.reloaded(!done.applied());
        return done;
    }

    /** Changes the settings as they were last read from the files. */
    Applied change(List<Edit> edits) {
        return lookout.isRunning() ? reloads.change(edits) : STOPS;
    }

    /** Replaces the action of {@link #beginToStop}, {@link #drain} and {@link #close}, to end the process too. */
    void onStop(Runnable action) {
        stop = action;
    }

    /**
     * Begins to stop: the instance is not ready any more. Returns at once.
     *
     * @return false if it was stopping already
     */
    boolean beginToStop() {
        Thread thread = Thread.ofPlatform().name("drain").unstarted(stop);
        if (!stopping.compareAndSet(null, thread)) {
            return false;
        }
        lookout.draining();
        thread.start();
        return true;
    }

    /** Makes a stop that is under way wait no longer for clients. */
    void stopAtOnce() {
        Thread thread = stopping.get();
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void stop() {
        try {
            drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    /** Drains as configured: see {@link #drain(DrainPlan)}. */
    boolean drain() throws InterruptedException {
        return drain(drainPlan());
    }

    /**
     * Drains: the instance is not ready any more, which load balancers notice. After the delay it accepts no more clients,
     * and lets the connected ones end their requests and transactions.
     *
     * @return whether all clients have left; false if the timeout expired
     */
    public boolean drain(DrainPlan plan) throws InterruptedException {
        lookout.draining();
        report(plan.text());
        Thread.sleep(plan.delay());
        report("No new clients accepted; clients to drain: %d, for up to %s."
                .formatted(clients(), DurationText.format(plan.timeout())));
        long begun = System.nanoTime();
        boolean all = proxy.drain(plan.timeout());
        report(
                all
                        ? "All clients have left after %s."
                                .formatted(
                                        DurationText.format(Duration.ofMillis((System.nanoTime() - begun) / 1_000_000)))
                        : "shutdown_timeout expired: remaining clients closed: %d.".formatted(clients()));
        return all;
    }

    private void report(String message) {
        log.info("drain: {}", message);
        events.add(Event.Kind.DRAIN, "", message);
    }

    /** Disconnects the remaining clients. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            lookout.draining();
            live.close();
            recent.close();
            fleetLog.ifPresent(FleetLog::close);
            certificates.close();
            proxy.close();
            http.close();
            events.slowRequests().close();
        }
    }
}
