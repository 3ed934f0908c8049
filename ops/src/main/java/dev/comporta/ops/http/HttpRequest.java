package dev.comporta.ops.http;

import java.util.Locale;
import java.util.Map;

/**
 * The head of a request. Bodies are not read: nothing that is served here takes one.
 *
 * @param method as it was sent; methods are case-sensitive
 * @param path without the query
 * @param headers by name in small letters; of a header that came twice, both values with a comma between
 * @param keepAlive whether the client expects to send another request on the same connection
 */
public record HttpRequest(String method, String path, Map<String, String> headers, boolean keepAlive) {
    public HttpRequest {
        headers = Map.copyOf(headers);
    }

    /** The header's value, or empty text when it is absent. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
}
