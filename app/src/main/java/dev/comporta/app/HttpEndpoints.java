package dev.comporta.app;

import dev.comporta.ops.config.proxy.HttpConfig;
import dev.comporta.ops.health.HealthPages;
import dev.comporta.ops.http.HttpService;
import dev.comporta.ops.metrics.MetricsPage;
import dev.comporta.ops.watch.Observer;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The two ports that probes, Prometheus and people ask. */
final class HttpEndpoints implements AutoCloseable {
    private final HttpService health;
    private final HttpService metrics;

    private HttpEndpoints(HttpService health, HttpService metrics) {
        this.health = health;
        this.metrics = metrics;
    }

    static HttpEndpoints start(HttpConfig settings, String instance, Observer observer) throws IOException {
        HttpService health =
                HttpService.start(address(settings.healthCheckPort()), new HealthPages(instance, observer).routes());
        try {
            HttpService metrics =
                    HttpService.start(address(settings.metricsPort()), new MetricsPage(observer).routes());
            return new HttpEndpoints(health, metrics);
        } catch (IOException e) {
            health.close();
            throw e;
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress("0.0.0.0", port);
    }

    int healthPort() {
        return health.port();
    }

    int metricsPort() {
        return metrics.port();
    }

    @Override
    public void close() {
        health.close();
        metrics.close();
    }
}
