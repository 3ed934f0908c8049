package dev.comporta.jdbc.micrometer;

import dev.comporta.jdbc.ServerRegistry;
import dev.comporta.jdbc.ServerWatch;
import dev.comporta.jdbc.stats.PoolStatistics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * All meters of all servers of a registry, also of servers that are registered later; those of an unregistered server are
 * removed: {@code new RegistryMetrics(servers).bindTo(meterRegistry)}. Thread-safe.
 */
public final class RegistryMetrics implements MeterBinder, AutoCloseable {
    /** Keeps the meters in one meter registry up to date with the servers. */
    private final class Binding implements ServerWatch {
        private final MeterRegistry meters;
        private final Map<String, List<Meter>> made = new HashMap<>();

        Binding(MeterRegistry meters) {
            this.meters = meters;
        }

        @Override
        public synchronized void registered(String server) {
            if (made.containsKey(server)) {
                return;
            }
            Supplier<PoolStatistics> figures;
            try {
                figures = servers.figures(server);
            } catch (IllegalArgumentException _) {
                return; // it was unregistered meanwhile
            }
            made.put(server, bind(server, figures));
        }

        private List<Meter> bind(String server, Supplier<PoolStatistics> figures) {
            List<Meter> all = new ArrayList<>(new PoolMetrics(server, figures).bind(meters));
            all.addAll(new ReservoirMetrics(server, figures).bind(meters));
            all.addAll(new RemotePoolMetrics(server, figures).bind(meters));
            return all;
        }

        /** Whether queries are counted may have changed. */
        @Override
        public synchronized void changed(String server) {
            remove(server);
            registered(server);
        }

        @Override
        public synchronized void unregistered(String server) {
            remove(server);
            registered(server); // another of this name may have been registered before this event
        }

        private void remove(String server) {
            List<Meter> gone = made.remove(server);
            if (gone != null) {
                gone.forEach(meters::remove);
            }
        }

        synchronized void removeAll() {
            List.copyOf(made.keySet()).forEach(this::remove);
        }
    }

    private final ServerRegistry servers;
    private final List<Binding> bindings = new ArrayList<>();

    public RegistryMetrics(ServerRegistry servers) {
        this.servers = servers;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Binding binding = new Binding(registry);
        bindings.add(binding);
        servers.watch(binding);
    }

    /** Removes its meters. */
    @Override
    public synchronized void close() {
        for (Binding binding : bindings) {
            servers.unwatch(binding);
            binding.removeAll();
        }
        bindings.clear();
    }
}
