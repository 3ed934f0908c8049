package dev.comporta.app;

import dev.comporta.ops.json.Json;
import dev.comporta.ops.json.MalformedJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An administrator's program that uses the admin API of an instance. */
record ApiCaller(Instance instance, String token) {
    /** A pause may take ten seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** What came back: its status and its JSON. */
    record Answer(int status, Map<String, Object> body, HttpResponse<String> response) {
        String message() {
            return String.valueOf(body.get("message"));
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> error() {
            return (Map<String, Object>) body.get("error");
        }

        /** The status and what is wrong. */
        String refusal() {
            return status + " " + error().get("message");
        }

        @SuppressWarnings("unchecked")
        List<Map<String, Object>> rows() {
            return (List<Map<String, Object>>) body.get("rows");
        }

        /** A column of all rows. */
        List<Object> column(String name) {
            return rows().stream().map(row -> row.get(name)).toList();
        }
    }

    Answer get(String path) {
        return send("GET", path, "");
    }

    Answer post(String path, String json) {
        return send("POST", path, json);
    }

    Answer send(String method, String path, String json) {
        return send(method, path, json, json.isEmpty() ? "" : "application/json");
    }

    Answer send(String method, String path, String body, String contentType) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + instance.healthPort() + path))
                .timeout(PATIENCE)
                .header("User-Agent", "test/1.0")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        try {
            HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(), Json.readObject(response.body().getBytes(StandardCharsets.UTF_8)), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (MalformedJson e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
