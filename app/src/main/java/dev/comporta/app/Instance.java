package dev.comporta.app;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.Reading;
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
    private final Proxy proxy;
    private final Certificates certificates;
    private final Reloads reloads;
    private final Lookout lookout;
    private final HttpEndpoints http;
    private final Optional<FleetLog> fleetLog;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Instance(
            Proxy proxy,
            Certificates certificates,
            Reloads reloads,
            Lookout lookout,
            HttpEndpoints http,
            Optional<FleetLog> fleetLog) {
        this.proxy = proxy;
        this.certificates = certificates;
        this.reloads = reloads;
        this.lookout = lookout;
        this.http = http;
        this.fleetLog = fleetLog;
    }

    /** Starts what the configuration describes, whatever becomes of the files; it listens when this returns. */
    public static Instance start(Configuration configuration) throws IOException {
        Reading fixed = new Reading(Optional.of(configuration), List.of(), List.of());
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
        Optional<Fleet> fleet = Fleet.of(configuration);
        Lookout lookout = new Lookout(name, fleet);
        HttpEndpoints http = null;
        try {
            // Before anything is opened, so that a prober sees that the instance lives, and is not ready yet.
            http = HttpEndpoints.start(configuration.proxy().http(), name, lookout);
            Proxy proxy = Wiring.start(configuration, certificates, buckets.values(), router::get, leases(fleet));
            lookout.running(proxy);
            return new Instance(
                    proxy,
                    certificates,
                    new Reloads(first, again, proxy, router, buckets),
                    lookout,
                    http,
                    fleet.map(with -> FleetLog.start(name, with)));
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
    public void reload() {
        if (lookout.isRunning()) {
            certificates.reload();
            lookout.reloaded(!reloads.reload());
        }
    }

    /**
     * Accepts no more clients, and lets those who are there end their requests and transactions.
     *
     * @return whether all are gone; otherwise the time is over
     */
    public boolean drain(Duration atMost) throws InterruptedException {
        lookout.draining();
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
