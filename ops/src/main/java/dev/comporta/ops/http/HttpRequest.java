package dev.comporta.ops.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A complete request.
 *
 * @param method as it was sent; methods are case-sensitive
 * @param path without the query, decoded
 * @param query the parameters after the question mark, decoded; the values of each in their order
 * @param headers by name in lower case; a repeated header has its values joined by commas
 * @param body empty when there is none
 * @param peer the caller's address, without the port
 * @param variables the values of the names in braces in the route's path
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        byte[] body,
        String peer,
        Map<String, String> variables) {
    /** A weight of zero, which excludes the encoding. */
    private static final Pattern NEVER = Pattern.compile(";\\s*q=0(\\.0*)?\\s*$");

    public HttpRequest {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
        variables = Map.copyOf(variables);
    }

    /** The same request with the variables of a route. */
    HttpRequest with(Map<String, String> found) {
        return new HttpRequest(method, path, query, headers, body, peer, found);
    }

    /** The part of the path that the route gives this name. */
    public String variable(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no part of the route is called " + name);
        }
        return value;
    }

    /** The header's value, or empty text when it is absent. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** Whether the client accepts gzip, as Prometheus always does. */
    public boolean acceptsGzip() {
        for (String coding : header("Accept-Encoding").toLowerCase(Locale.ROOT).split(",", -1)) {
            String name = coding.split(";", 2)[0].trim();
            if (name.equals("gzip")) {
                return !NEVER.matcher(coding).find();
            }
        }
        return false;
    }
}
