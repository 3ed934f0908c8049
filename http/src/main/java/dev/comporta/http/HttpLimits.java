package dev.comporta.http;

import java.time.Duration;

/**
 * The limits for callers.
 *
 * @param connections at the same time, without streams; one more replaces one that lingers, sends nothing or does not read
 * @param headBytes of a request's first line, and of its headers together
 * @param bodyBytes of a request's body
 * @param request from a request's first byte to its last; also for a TLS handshake
 * @param idle between two requests on a connection
 * @param response for the caller to read the response
 * @param linger for a refused caller to finish sending before it is disconnected
 * @param streams limits for responses that go on
 */
public record HttpLimits(
        int connections,
        int headBytes,
        int bodyBytes,
        Duration request,
        Duration idle,
        Duration response,
        Duration linger,
        StreamLimits streams) {
    public HttpLimits(
            int connections,
            int headBytes,
            int bodyBytes,
            Duration request,
            Duration idle,
            Duration response,
            Duration linger) {
        this(connections, headBytes, bodyBytes, request, idle, response, linger, StreamLimits.DEFAULTS);
    }

    /**
     * A prober, two Prometheus servers and a few administrators need a handful of connections, and heads of a few hundred
     * bytes. The longest text that the console accepts has 100,000 characters, some of them of two bytes. The idle timeout of
     * 75 s is longer than any usual scrape interval, so that scrapes need not connect each time.
     */
    public static final HttpLimits DEFAULTS = new HttpLimits(
            64,
            8 * 1024,
            256 * 1024,
            Duration.ofSeconds(5),
            Duration.ofSeconds(75),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1));
}
