package dev.comporta.e2e.topology;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a running Prometheus is asked. */
final class PrometheusApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String api;

    PrometheusApi(int port) {
        api = "http://127.0.0.1:" + port + "/api/v1/";
    }

    private JsonNode ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(HttpRequest.newBuilder(URI.create(api + path)).build(), HttpResponse.BodyHandlers.ofString());
        JsonNode read = JSON.readTree(answer.body());
        if (!read.path("status").asText().equals("success")) {
            throw new IllegalStateException(path + ": " + answer.body());
        }
        return read.get("data");
    }

    /** The series that it results in. */
    List<JsonNode> query(String text) throws IOException, InterruptedException {
        List<JsonNode> series = new ArrayList<>();
        ask("query?query=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                .get("result")
                .forEach(series::add);
        return series;
    }

    /** Alerts that fire, or will if what they tell of lasts. */
    List<JsonNode> alerts() throws IOException, InterruptedException {
        List<JsonNode> alerts = new ArrayList<>();
        ask("alerts").get("alerts").forEach(alerts::add);
        return alerts;
    }

    List<JsonNode> firing() throws IOException, InterruptedException {
        return alerts().stream()
                .filter(alert -> alert.get("state").asText().equals("firing"))
                .toList();
    }

    /** How many rules were evaluated, the last time without an error. */
    long rulesInOrder() throws IOException, InterruptedException {
        long count = 0;
        for (JsonNode group : ask("rules").get("groups")) {
            for (JsonNode rule : group.get("rules")) {
                count += rule.get("health").asText().equals("ok") ? 1 : 0;
            }
        }
        return count;
    }

    boolean isFiring(String alert, String label, String value) throws IOException, InterruptedException {
        return firing().stream()
                .map(one -> one.get("labels"))
                .anyMatch(labels -> labels.path("alertname").asText().equals(alert)
                        && labels.path(label).asText().equals(value));
    }

    @Override
    public void close() {
        http.close();
    }
}
