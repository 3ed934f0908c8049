package dev.comporta.app;

import dev.comporta.app.api.AdminApi;
import dev.comporta.app.live.LivePage;
import dev.comporta.http.HttpLimits;
import dev.comporta.http.HttpServer;
import dev.comporta.ops.config.proxy.HttpConfig;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.health.HealthPages;
import dev.comporta.ops.http.HttpHandler;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.metrics.MetricsPage;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.tls.HttpTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;

/** The two HTTP ports: one for health checks, the admin API and the live page, one for metrics. */
final class HttpEndpoints implements AutoCloseable {
    private final HttpServer server = new HttpServer();
    private final int healthPort;
    private final int metricsPort;
    private volatile HttpHandler api = _ -> AdminApi.starting();
    private volatile HttpHandler live = _ -> AdminApi.starting();

    private HttpEndpoints(HttpConfig settings, HttpRoutes health, HttpRoutes metrics, Optional<Supplier<HttpTls>> tls)
            throws IOException {
        health.under(AdminApi.ROOT, request -> api.handle(request))
                .under(LivePage.ROOT, request -> live.handle(request))
                .get(LivePage.INDEX, request -> live.handle(request));
        try {
            healthPort = server.listen(
                    new InetSocketAddress(settings.healthCheckAddress(), settings.healthCheckPort()),
                    health,
                    HttpLimits.DEFAULTS,
                    tls);
            metricsPort = server.listen(
                    new InetSocketAddress(settings.metricsAddress(), settings.metricsPort()),
                    metrics,
                    HttpLimits.DEFAULTS,
                    tls);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /**
     * @param tls called for each connection; absent if TLS is off for HTTP
     * @param work runs the scrapes
     */
    static HttpEndpoints start(
            ProxyConfig proxy, Observer observer, Optional<Supplier<HttpTls>> tls, BackgroundWork work)
            throws IOException {
        MetricsPage metrics =
                new MetricsPage(observer, Version.text(), proxy.metrics().aliases(), work);
        return new HttpEndpoints(
                proxy.http(), new HealthPages(proxy.instanceId(), observer).routes(), metrics.routes(), tls);
    }

    /** Opens the admin API and the live page, once the instance has started. */
    void open(AdminApi opened, LivePage page) {
        api = opened;
        live = page;
    }

    int healthPort() {
        return healthPort;
    }

    int metricsPort() {
        return metricsPort;
    }

    @Override
    public void close() {
        server.close();
    }
}
