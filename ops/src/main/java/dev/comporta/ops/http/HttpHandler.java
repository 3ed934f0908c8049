package dev.comporta.ops.http;

/** Answers requests. Called on a virtual thread for each request: it may block. */
@FunctionalInterface
public interface HttpHandler {
    HttpResponse handle(HttpRequest request);
}
