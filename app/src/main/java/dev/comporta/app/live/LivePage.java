package dev.comporta.app.live;

import dev.comporta.app.api.AdminApi;
import dev.comporta.app.console.EventLog;
import dev.comporta.app.recent.Recent;
import dev.comporta.console.Console;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.http.HttpHandler;
import dev.comporta.ops.http.HttpRefusal;
import dev.comporta.ops.http.HttpRequest;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.proxy.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The live page: static files that anybody may read, and a stream of data, which {@code proxy.admin.live_page} may restrict.
 * It changes nothing: its actions are requests to the admin API, with the token. Any thread.
 */
public final class LivePage implements HttpHandler, AutoCloseable {
    /** The path of the page. */
    public static final String INDEX = "/";
    /** The path below which everything else of it is. */
    public static final String ROOT = "/live";

    private static final int NOT_FOUND = 404;

    private static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /**
     * The page may load nothing from elsewhere, contain no inline scripts, and not be framed: a name chosen by a client can't
     * become a script, and no other site can cover a button.
     */
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", CONTENT_POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    private final Supplier<AdminConfig> config;
    private final AdminApi api;
    private final Proxy proxy;
    private final LiveFiles files = new LiveFiles();
    private final LiveFeed feed;
    private final HttpRoutes routes = new HttpRoutes();

    /** @param config the configuration in force: read for each request */
    public LivePage(
            String instance,
            String version,
            Supplier<AdminConfig> config,
            AdminApi api,
            Proxy proxy,
            Observer observer,
            Recent recent,
            EventLog events,
            Console console,
            BackgroundWork work) {
        this.config = config;
        this.api = api;
        this.proxy = proxy;
        LiveMessages messages =
                new InstanceMessages(instance, version, proxy, observer, recent, events, console, config);
        feed = new LiveFeed(messages, work, config, LiveFeed.EVERY).start();
        routes.get(INDEX, request -> file(LiveFiles.INDEX, request))
                .get(ROOT + "/stream", this::stream)
                .get(ROOT + "/{file}", request -> file(request.variable("file"), request));
    }

    @Override
    public HttpResponse handle(HttpRequest request) {
        if (config.get().livePage() == AdminConfig.LivePage.OFF) {
            return HttpResponse.refusal(
                    NOT_FOUND, "the live page is off. Set proxy.admin.live_page in proxy.yaml and reload (SIGHUP).");
        }
        HttpResponse response = routes.handle(request);
        for (Map.Entry<String, String> header : HEADERS.entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response;
    }

    private HttpResponse file(String name, HttpRequest request) {
        return files.answer(name, request)
                .orElseThrow(() -> new HttpRefusal(NOT_FOUND, "the live page has no file " + name + "."));
    }

    private HttpResponse stream(HttpRequest request) {
        if (config.get().livePage() == AdminConfig.LivePage.TOKEN) {
            Optional<HttpResponse> refusal = api.refusal(request);
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        String bucket = bucket(request);
        if (bucket != null && !proxy.buckets().contains(bucket)) {
            throw new HttpRefusal(NOT_FOUND, "there is no bucket " + bucket + ".");
        }
        return HttpResponse.stream(ServerSentEvent.CONTENT_TYPE, feed.stream(bucket));
    }

    private static @Nullable String bucket(HttpRequest request) {
        List<String> given = request.query().getOrDefault("bucket", List.of());
        return given.isEmpty() ? null : given.getLast();
    }

    /** Ends all streams. */
    @Override
    public void close() {
        feed.close();
    }
}
