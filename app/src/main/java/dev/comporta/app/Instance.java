package dev.comporta.app;

import dev.comporta.ops.config.Configuration;
import dev.comporta.proxy.Proxy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running instance: the data plane, and what the control plane does beside it. */
public final class Instance implements AutoCloseable {
    private final Proxy proxy;
    private final Certificates certificates;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Instance(Proxy proxy, Certificates certificates) {
        this.proxy = proxy;
        this.certificates = certificates;
    }

    /** Starts what the configuration describes; it listens when this returns. */
    public static Instance start(Configuration configuration) throws IOException {
        Certificates certificates = Certificates.load(
                configuration.proxy().tls(), configuration.proxy().instanceId());
        Proxy proxy = Wiring.start(configuration, certificates);
        certificates.watch();
        return new Instance(proxy, certificates);
    }

    public Proxy proxy() {
        return proxy;
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
        return proxy.drain(atMost);
    }

    /** Cuts off whoever is still there. A second time does nothing. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            certificates.close();
            proxy.close();
        }
    }
}
