package dev.comporta.app.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.comporta.app.text.Cells;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Sends SQL to instances over their admin API. Any thread. */
public final class ApiClient implements AutoCloseable {
    /** Characters shown of a response that is not the admin API's, such as a page of another server. */
    private static final int SHOWN = 200;

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http;
    private final String token;
    private final Duration timeout;

    /**
     * @param tls for https addresses; null for the system's certificates
     * @param timeout for connecting and answering together
     */
    public ApiClient(String token, @Nullable SSLContext tls, Duration timeout) {
        // A redirect would send the token elsewhere; the client follows none by default.
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(timeout);
        http = (tls == null ? builder : builder.sslContext(tls)).build();
        this.token = token;
        this.timeout = timeout;
    }

    /** Runs a text of SQL. */
    public Answer ask(AdminAddress address, String sql) throws SqlRefused, ApiUnavailable, InterruptedException {
        String body = JsonNodeFactory.instance.objectNode().put("sql", sql).toString();
        HttpRequest request = HttpRequest.newBuilder(address.sql())
                .timeout(timeout)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response;
        try {
            response = http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new ApiUnavailable(describe(e), e);
        }
        return read(response);
    }

    private Answer read(HttpResponse<String> response) throws SqlRefused, ApiUnavailable {
        JsonNode body = parse(response.body());
        JsonNode error = body.path("error");
        if (response.statusCode() == OK && body.path("results").isArray()) {
            return Answer.of(body);
        }
        if (response.statusCode() == BAD_REQUEST && error.path("number").isNumber()) {
            throw new SqlRefused(
                    error.path("number").asInt(),
                    error.path("message").asText(),
                    error.path("line").asInt(),
                    error.path("column").asInt(),
                    Answer.of(body));
        }
        String said = error.path("message").asText();
        throw new ApiUnavailable(
                said.isEmpty()
                        ? "answered " + response.statusCode() + ", not as an admin API does: "
                                + shown(response.body().strip())
                        : "answered " + response.statusCode() + ": " + shown(said));
    }

    private static String shown(String text) {
        return Cells.cut(Cells.clean(text), SHOWN);
    }

    private JsonNode parse(String body) {
        try {
            return json.readTree(body);
        } catch (IOException none) {
            return JsonNodeFactory.instance.missingNode();
        }
    }

    /** Some of these exceptions have no message, others one that only helps the author of an HTTP client. */
    private String describe(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return "unknown host";
            }
        }
        String message = e.getMessage();
        return switch (e) {
            case HttpTimeoutException _ -> "no answer within " + timeout.toMillis() / 1000.0 + " s";
            case ConnectException _ -> message == null ? "connection refused" : message;
            case SSLException _ -> "TLS: " + message + " (--ca FILE names the certificates to trust)";
            default -> message == null ? e.toString() : message;
        };
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
