package dev.comporta.app.admin;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address of an instance's admin API.
 *
 * @param shown the address as it was given
 */
public record AdminAddress(String shown, URI sql) {
    private static final int DEFAULT_PORT = 8080;
    private static final String PATH = "/api/v1/sql";

    /** @throws IllegalArgumentException with a message for the user */
    public static AdminAddress parse(String text) {
        String full = text.contains("://") ? text : "http://" + text;
        try {
            URI uri = new URI(full);
            String path = uri.getRawPath() == null ? "" : uri.getRawPath();
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http
                    || uri.getHost() == null
                    || uri.getUserInfo() != null
                    || !(path.isEmpty() || path.equals("/"))
                    || uri.getQuery() != null) {
                throw new IllegalArgumentException(problem(text));
            }
            int port = uri.getPort() == -1 ? DEFAULT_PORT : uri.getPort();
            return new AdminAddress(text, new URI(uri.getScheme(), null, uri.getHost(), port, PATH, null, null));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(problem(text), e);
        }
    }

    private static String problem(String text) {
        return "'" + text + "' is not an address such as localhost:8080 or https://proxy-1:8080.";
    }
}
