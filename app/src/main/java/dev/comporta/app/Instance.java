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

/** A running instance: the data plane, and what the control plane does beside it. */
public final class Instance implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Instance.class);

    /** For a figure in a log line. */
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
    /** The thread on which it stops; null while it need not. */
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

    /** Starts what the configuration describes, whatever becomes of the files; it listens when this returns. */
    public static Instance start(Configuration configuration) throws IOException {
        Reading fixed = Reading.fixed(configuration);
        return start(fixed, () -> fixed);
    }

    /**
     * The same, for as long as {@link #reload} does not find that something else is wanted.
     *
     * @param again reads the files as they are then
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
            // Before anything is opened, so that a prober sees that the instance lives, and is not ready yet.
            http = HttpEndpoints.start(configuration.proxy(), lookout, loading.http(), work);
            loading.awaitFiles();
            proxy = Wiring.start(
                    configuration, loading.clients(), buckets.values(), router::get, leases(fleet), events);
            Certificates certificates = loading.await(); // listening meanwhile
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

    /** What administrators query and command, whatever they connect with. */
    public Console console() {
        return console;
    }

    /** What its buckets did lately. */
    public Recent recent() {
        return recent;
    }

    /** Runs the answers to the console, the API and scrapes. */
    BackgroundWork work() {
        return work;
    }

    /** Where health checks are answered: of interest where any free port was asked for. */
    public int healthPort() {
        return http.healthPort();
    }

    public int metricsPort() {
        return http.metricsPort();
    }

    /** How it stops when it is told to. */
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
     * Reads the certificate and the configuration again, and takes over what can be. Blocks until that is done; the clients
     * of removed buckets are not waited for. An instance that stops changes nothing any more.
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

    /** Changes what the files said when they were last read. */
    Applied change(List<Edit> edits) {
        return lookout.isRunning() ? reloads.change(edits) : STOPS;
    }

    /** What {@link #beginToStop} has done instead of {@link #drain} and {@link #close}: to end the process, too. */
    void onStop(Runnable action) {
        stop = action;
    }

    /**
     * Begins to stop: is not ready from now on. Returns at once.
     *
     * @return false if it was under way
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

    /** Has the stop that is under way wait no longer for clients. */
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

    /** See {@link #drain(DrainPlan)}: as it is configured. */
    boolean drain() throws InterruptedException {
        return drain(drainPlan());
    }

    /**
     * Is not ready from now on, for load balancers to notice. After the delay it accepts no more clients, and lets those
     * who are there end their requests and transactions.
     *
     * @return whether all are gone; otherwise the time is over
     */
    public boolean drain(DrainPlan plan) throws InterruptedException {
        lookout.draining();
        tell(plan.text());
        Thread.sleep(plan.delay());
        tell("No new clients accepted; clients to drain: %d, for up to %s."
                .formatted(clients(), DurationText.format(plan.timeout())));
        long begun = System.nanoTime();
        boolean all = proxy.drain(plan.timeout());
        tell(
                all
                        ? "All clients have left after %s."
                                .formatted(
                                        DurationText.format(Duration.ofMillis((System.nanoTime() - begun) / 1_000_000)))
                        : "shutdown_timeout expired: remaining clients closed: %d.".formatted(clients()));
        return all;
    }

    private void tell(String message) {
        log.info("drain: {}", message);
        events.add(Event.Kind.DRAIN, "", message);
    }

    /** Disconnects the clients that are still there. A second call does nothing. */
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
