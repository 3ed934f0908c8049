package dev.comporta.demo;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.loop.BucketLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The figures of an instance at one moment, over all its buckets.
 *
 * @param takenNanos by {@link System#nanoTime}
 * @param connections server connections that are open or being opened
 * @param waiting requests in the queues
 * @param requests answered since the start
 */
record Figures(long takenNanos, int clients, int waiting, long requests, List<Connections> connections) {
    /** The server connections of one bucket. */
    record Connections(String bucket, int open, int limit) {}

    static Figures of(Proxy proxy, List<String> buckets) {
        int clients = 0;
        int waiting = 0;
        long requests = 0;
        List<Connections> connections = new ArrayList<>();
        for (String bucket : buckets) {
            BucketLoop.Glance glance = proxy.glance(bucket);
            clients += glance.clients();
            waiting += glance.pool().waiting();
            requests += glance.pool().traffic().queries();
            connections.add(
                    new Connections(bucket, open(glance.pool()), glance.pool().limit()));
        }
        return new Figures(System.nanoTime(), clients, waiting, requests, List.copyOf(connections));
    }

    /** Connections that the server counts: not those that still wait for a slot or a connect permit. */
    private static int open(BucketSnapshot bucket) {
        int open = 0;
        for (ConnectionState state : ConnectionState.values()) {
            open += switch (state) {
                case LEASING, RATE_LIMITED, CLOSED -> 0;
                case CONNECTING, LOGGING_IN, READY, ATTACHED, PINNED, RESETTING, VALIDATING, CLOSING ->
                    bucket.count(state);
            };
        }
        return open;
    }

    /** One line of text. The rate is over the time since the figures {@code before}. */
    String line(Figures before) {
        StringBuilder line = new StringBuilder();
        int open = connections.stream().mapToInt(Connections::open).sum();
        line.append(String.format(
                Locale.ROOT,
                "%,d clients on %,d server connections, %,d requests/s, %,d waiting",
                clients,
                open,
                Math.round(rate(before)),
                waiting));
        String separator = " | ";
        for (Connections each : connections) {
            line.append(separator).append("%s %d/%d".formatted(each.bucket(), each.open(), each.limit()));
            separator = ", ";
        }
        return line.toString();
    }

    private double rate(Figures before) {
        double seconds = (takenNanos - before.takenNanos) / 1e9;
        return seconds <= 0 ? 0 : (requests - before.requests) / seconds;
    }
}
