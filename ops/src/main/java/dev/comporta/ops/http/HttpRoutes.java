package dev.comporta.ops.http;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be asked for, by its path. Everything here is looked at, not changed: GET, and HEAD which is like it. */
public final class HttpRoutes {
    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    private static final Logger log = LoggerFactory.getLogger(HttpRoutes.class);

    private final Map<String, HttpHandler> handlers = new TreeMap<>();

    /** Before the service starts. */
    public HttpRoutes get(String path, HttpHandler handler) {
        handlers.put(path, handler);
        return this;
    }

    /** The paths that lead somewhere. */
    public Set<String> paths() {
        return Set.copyOf(handlers.keySet());
    }

    HttpResponse answer(HttpRequest request) {
        HttpHandler handler = handlers.get(request.path());
        if (handler == null) {
            return HttpResponse.refusal(
                    404, "there is nothing here. Try " + String.join(", ", handlers.keySet()) + ".");
        }
        if (!METHODS.contains(request.method())) {
            return HttpResponse.refusal(405, "this can be read, with GET.", Map.of("Allow", "GET, HEAD"));
        }
        try {
            return handler.handle(request);
        } catch (RuntimeException e) {
            log.error("{} could not be answered", request.path(), e);
            return HttpResponse.refusal(500, "it could not be answered; the log says why.");
        }
    }
}
