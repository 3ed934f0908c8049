package dev.comporta.ops.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A request that has arrived as a whole.
 *
 * @param method as it was sent; methods are case-sensitive
 * @param path without the query, decoded
 * @param query the parameters behind the question mark, decoded; of each its values, in their order
 * @param headers by name in small letters; of a header that came twice, both values with a comma between
 * @param body empty when there is none
 * @param peer the caller's address, without its port
 * @param variables what the route's path has in braces, by the name between them
 */
@SuppressWarnings("ArrayRecordComponent") // made, answered and forgotten: nobody compares two
public record HttpRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        byte[] body,
        String peer,
        Map<String, String> variables) {
    /** A weight that says no. */
    private static final Pattern NEVER = Pattern.compile(";\\s*q=0(\\.0*)?\\s*$");

    public HttpRequest {
        query = Map.copyOf(query);
        headers = Map.copyOf(headers);
        variables = Map.copyOf(variables);
    }

    /** The same, as a route with variables sees it. */
    HttpRequest with(Map<String, String> found) {
        return new HttpRequest(method, path, query, headers, body, peer, found);
    }

    /** A part of the path that the route has a name for. */
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

    /** Whether the client says that it can unpack what is packed with gzip; as Prometheus always does. */
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
