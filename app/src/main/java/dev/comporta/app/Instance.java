package dev.comporta.app;

import dev.comporta.app.console.AdminAccess;
import dev.comporta.app.console.AdminConsole;
import dev.comporta.app.console.Event;
import dev.comporta.app.console.EventLog;
import dev.comporta.app.console.Settings.Applied;
import dev.comporta.console.Console;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.Reading;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.route.Router;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A running instance: the data plane, and what the control plane does beside it. */
public final class Instance implements AutoCloseable {
    private static final Applied STOPS = new Applied(false, List.of("This instance stops."), List.of());

    private final Proxy proxy;
    private final Certificates certificates;
    private final Reloads reloads;
    private final Lookout lookout;
    private final HttpEndpoints http;
    private final Optional<FleetLog> fleetLog;
    private final Console console;
    private final EventLog events;
    private volatile Runnable stop;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private Instance(
            Proxy proxy,
            Certificates certificates,
            Reloads reloads,
            Lookout lookout,
            HttpEndpoints http,
            Optional<Fleet> fleet,
            EventLog events) {
        this.proxy = proxy;
        this.certificates = certificates;
        this.reloads = reloads;
        this.lookout = lookout;
        this.http = http;
        this.events = events;
        Configuration configuration = reloads.running();
        fleetLog = fleet.map(with -> FleetLog.start(configuration.proxy().instanceId(), with));
        stop = this::stop;
        console = AdminConsole.of(
                configuration.proxy().admin().database(),
                proxy,
                lookout,
                () -> fleet.map(with -> with.sight().leases()).orElse(List.of()),
                new InstanceSettings(this, reloads),
                events);
        proxy.openConsole(new AdminAccess(
                () -> reloads.running().proxy().admin(),
                console,
                configuration.proxy().instanceId(),
                "Comporta on Java " + Runtime.version().feature()));
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
        Certificates certificates = Certificates.load(configuration.proxy().tls(), name);
        Map<String, BucketSpec> buckets = Wiring.buckets(configuration);
        AtomicReference<Router> router = new AtomicReference<>(configuration.router());
        EventLog events = new EventLog();
        Optional<Fleet> fleet = Fleet.of(configuration, events);
        Lookout lookout = new Lookout(name, fleet);
        HttpEndpoints http = null;
        try {
            // Before anything is opened, so that a prober sees that the instance lives, and is not ready yet.
            http = HttpEndpoints.start(configuration.proxy().http(), name, lookout);
            Proxy proxy =
                    Wiring.start(configuration, certificates, buckets.values(), router::get, leases(fleet), events);
            lookout.running(proxy);
            return new Instance(
                    proxy,
                    certificates,
                    new Reloads(first, again, proxy, router, buckets, events),
                    lookout,
                    http,
                    fleet,
                    events);
        } catch (IOException | RuntimeException e) {
            if (http != null) {
                http.close();
            }
            certificates.close();
            leases(fleet).close();
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

    /** Where health checks are answered: of interest where any free port was asked for. */
    public int healthPort() {
        return http.healthPort();
    }

    public int metricsPort() {
        return http.metricsPort();
    }

    /** How long clients are given to end what they are about when the instance stops. */
    public Duration shutdownTimeout() {
        return reloads.running().proxy().timeouts().shutdown();
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

    /** What {@code DRAIN} does instead of {@link #drain} and {@link #close}: to end the process, too. */
    public void onDrainCommand(Runnable action) {
        stop = action;
    }

    /** Begins to stop. Returns at once. */
    boolean beginToStop() {
        if (!stopping.compareAndSet(false, true)) {
            return false;
        }
        Thread.ofPlatform().name("drain").start(stop);
        return true;
    }

    private void stop() {
        try {
            drain(shutdownTimeout());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    /**
     * Accepts no more clients, and lets those who are there end their requests and transactions.
     *
     * @return whether all are gone; otherwise the time is over
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        lookout.draining();
        events.add(
                Event.Kind.DRAIN,
                "",
                "",
                "",
                "Draining: no new clients; requests and transactions may end, for at most " + atMost.toSeconds()
                        + " seconds.");
        return proxy.drain(atMost);
    }

    /** Cuts off whoever is still there. A second time does nothing. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            lookout.draining();
            fleetLog.ifPresent(FleetLog::close);
            certificates.close();
            proxy.close();
            http.close();
        }
    }
}
