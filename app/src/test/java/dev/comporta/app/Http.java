package dev.comporta.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks an instance's HTTP ports, as probers and Prometheus do. */
final class Http {
    /** A prober's patience. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** One for all tests: to make one costs more than to ask. */
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Http() {}

    /** @param headers names and values, in turn */
    static HttpResponse<String> get(int port, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Exposition scrape(Instance instance) {
        return Exposition.parse(get(instance.metricsPort(), "/metrics").body());
    }

    static HttpResponse<String> health(Instance instance) {
        return get(instance.healthPort(), "/health");
    }
}
