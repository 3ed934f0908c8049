package dev.comporta.ops.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A response.
 *
 * @param body all of it, unless there is a stream
 * @param headers in addition to those that every response has
 * @param stream follows the headers instead of the body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpResponse(
        int status, String contentType, byte[] body, Map<String, String> headers, Optional<HttpStream> stream) {
    public static final String JSON = "application/json; charset=utf-8";
    private static final String TEXT = "text/plain; charset=utf-8";

    public static final int OK = 200;
    public static final int SERVICE_UNAVAILABLE = 503;

    public HttpResponse {
        headers = Map.copyOf(headers);
    }

    public HttpResponse(int status, String contentType, byte[] body, Map<String, String> headers) {
        this(status, contentType, body, headers, Optional.empty());
    }

    public static HttpResponse stream(String contentType, HttpStream stream) {
        return new HttpResponse(OK, contentType, new byte[0], Map.of(), Optional.of(stream));
    }

    public static HttpResponse ok(String contentType, byte[] body) {
        return new HttpResponse(OK, contentType, body, Map.of());
    }

    /** The same response with one more header. */
    public HttpResponse with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new HttpResponse(status, contentType, body, more, stream);
    }

    public static HttpResponse json(int status, byte[] body) {
        return new HttpResponse(status, JSON, body, Map.of());
    }

    /** A refusal, with a line of explanation. */
    public static HttpResponse refusal(int status, String why) {
        String line = status + " " + reason(status) + ": " + why + "\n";
        return new HttpResponse(status, TEXT, line.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** The reason phrase of a status. */
    public static String reason(int status) {
        return switch (status) {
            case OK -> "OK";
            case 201 -> "Created";
            case 304 -> "Not Modified";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case SERVICE_UNAVAILABLE -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> "Status";
        };
    }
}
