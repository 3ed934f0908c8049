package dev.comporta.ops.http;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the handler of a request by path and method. A part of a path in braces matches anything: {@code /buckets/{id}}. */
public final class HttpRoutes implements HttpHandler {
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";

    private static final Logger log = LoggerFactory.getLogger(HttpRoutes.class);

    /** Makes the response to a refused request. */
    @FunctionalInterface
    public interface Refusals {
        HttpResponse refusal(int status, String why);
    }

    private final Refusals refusals;
    private final Function<HttpRequest, String> whatElse;
    /** By path, then by method. */
    private final Map<String, Map<String, HttpHandler>> handlers = new TreeMap<>();
    /** By the prefix of the path. */
    private final Map<String, HttpHandler> subtrees = new LinkedHashMap<>();

    /** Refuses in plain text. */
    public HttpRoutes() {
        refusals = HttpResponse::refusal;
        whatElse = _ -> "Try " + String.join(", ", handlers.keySet()) + ".";
    }

    /** @param whatElse what to suggest when a path is not found */
    public HttpRoutes(Refusals refusals, Function<HttpRequest, String> whatElse) {
        this.refusals = refusals;
        this.whatElse = whatElse;
    }

    /** Call this, {@link #on} and {@link #under} before the first request only. HEAD is answered as GET is. */
    public HttpRoutes get(String path, HttpHandler handler) {
        return on(GET, path, handler);
    }

    public HttpRoutes on(String method, String path, HttpHandler handler) {
        handlers.computeIfAbsent(path, _ -> new TreeMap<>()).put(method, handler);
        return this;
    }

    /** Passes every request whose path is this one or below it to a handler. */
    public HttpRoutes under(String path, HttpHandler handler) {
        subtrees.put(path, handler);
        return this;
    }

    /** The paths with handlers, without those of {@link #under}. */
    public Set<String> paths() {
        return Set.copyOf(handlers.keySet());
    }

    /** The methods of each path. */
    public Map<String, Set<String>> methods() {
        return handlers.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, route -> Set.copyOf(route.getValue().keySet())));
    }

    @Override
    public HttpResponse handle(HttpRequest request) {
        try {
            return answer(request);
        } catch (HttpRefusal refusal) {
            return refusals.refusal(refusal.status(), refusal.getMessage());
        } catch (RuntimeException e) {
            log.error("HTTP request for {} failed with an internal error", request.path(), e);
            return refusals.refusal(500, "internal error; see the instance's log.");
        }
    }

    private HttpResponse answer(HttpRequest request) {
        Optional<HttpHandler> subtree = subtrees.entrySet().stream()
                .filter(entry -> isUnder(entry.getKey(), request.path()))
                .map(Map.Entry::getValue)
                .findFirst();
        if (subtree.isPresent()) {
            return subtree.get().handle(request);
        }
        Map<String, HttpHandler> exact = handlers.get(request.path());
        if (exact != null) {
            return answer(request, exact, Map.of());
        }
        for (Map.Entry<String, Map<String, HttpHandler>> route : handlers.entrySet()) {
            Map<String, String> variables = match(route.getKey(), request.path());
            if (variables != null) {
                return answer(request, route.getValue(), variables);
            }
        }
        return refusals.refusal(404, "there is nothing at " + request.path() + ". " + whatElse.apply(request));
    }

    private HttpResponse answer(HttpRequest request, Map<String, HttpHandler> byMethod, Map<String, String> variables) {
        HttpHandler handler = byMethod.get(request.method().equals(HEAD) ? GET : request.method());
        if (handler == null) {
            String allowed = String.join(", ", allowed(byMethod.keySet()));
            return refusals.refusal(405, request.method() + " is not served here; use " + allowed + ".")
                    .with("Allow", allowed);
        }
        return handler.handle(variables.isEmpty() ? request : request.with(variables));
    }

    private static Collection<String> allowed(Set<String> methods) {
        Set<String> allowed = new TreeSet<>(methods);
        if (methods.contains(GET)) {
            allowed.add(HEAD);
        }
        return allowed;
    }

    private static boolean isUnder(String subtree, String path) {
        return path.equals(subtree) || path.startsWith(subtree + "/");
    }

    /** The values of the parts in braces; null when the path does not match. */
    private static @Nullable Map<String, String> match(String route, String path) {
        List<String> wanted = parts(route);
        List<String> given = parts(path);
        if (wanted.size() != given.size()) {
            return null;
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            String part = wanted.get(i);
            if (part.startsWith("{") && !given.get(i).isEmpty()) {
                variables.put(part.substring(1, part.length() - 1), given.get(i));
            } else if (!part.equals(given.get(i))) {
                return null;
            }
        }
        return variables;
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }
}
