package dev.comporta.ops.http;

/** Answers requests. Called on a virtual thread of the request's own: it may block. */
@FunctionalInterface
public interface HttpHandler {
    HttpResponse handle(HttpRequest request);
}
