package dev.comporta.app;

import dev.comporta.ops.config.Configuration;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.attach.LeaseSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running instance: the data plane, and what the control plane does beside it. */
public final class Instance implements AutoCloseable {
    private final Proxy proxy;
    private final Certificates certificates;
    private final Lookout lookout;
    private final HttpEndpoints http;
    private final Optional<FleetLog> fleetLog;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Instance(
            Proxy proxy, Certificates certificates, Lookout lookout, HttpEndpoints http, Optional<FleetLog> fleetLog) {
        this.proxy = proxy;
        this.certificates = certificates;
        this.lookout = lookout;
        this.http = http;
        this.fleetLog = fleetLog;
    }

    /** Starts what the configuration describes; it listens when this returns. */
    public static Instance start(Configuration configuration) throws IOException {
        String name = configuration.proxy().instanceId();
        Certificates certificates = Certificates.load(configuration.proxy().tls(), name);
        Optional<Fleet> fleet = Fleet.of(configuration);
        Lookout lookout = new Lookout(name, fleet);
        HttpEndpoints http = null;
        try {
            // Before anything is opened, so that a prober sees that the instance lives, and is not ready yet.
            http = HttpEndpoints.start(configuration.proxy().http(), name, lookout);
            Proxy proxy = Wiring.start(configuration, certificates, leases(fleet));
            lookout.running(proxy);
            certificates.watch();
            return new Instance(proxy, certificates, lookout, http, fleet.map(with -> FleetLog.start(name, with)));
        } catch (IOException | RuntimeException e) {
            if (http != null) {
                http.close();
            }
            leases(fleet).close();
            throw e;
        }
    }

    private static LeaseSource leases(Optional<Fleet> fleet) {
        return fleet.<LeaseSource>map(shared -> shared).orElse(LeaseSource.LOCAL);
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

    /** Reads the certificate's files again, changed or not: for the clients that come from now on. */
    public void reload() {
        certificates.reload();
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
