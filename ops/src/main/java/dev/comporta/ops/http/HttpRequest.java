package dev.comporta.ops.http;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The head of a request. Bodies are not read: nothing that is served here takes one.
 *
 * @param method as it was sent; methods are case-sensitive
 * @param path without the query
 * @param headers by name in small letters; of a header that came twice, both values with a comma between
 * @param keepAlive whether the client expects to send another request on the same connection
 */
public record HttpRequest(String method, String path, Map<String, String> headers, boolean keepAlive) {
    /** A weight that says no. */
    private static final Pattern NEVER = Pattern.compile(";\\s*q=0(\\.0*)?\\s*$");

    public HttpRequest {
        headers = Map.copyOf(headers);
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
