package dev.comporta.ops.http;

/** Answers requests for one path. Called on a virtual thread of the connection's own: it may block. */
@FunctionalInterface
public interface HttpHandler {
    HttpResponse handle(HttpRequest request);
}
