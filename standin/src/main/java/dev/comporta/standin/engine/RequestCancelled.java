package dev.comporta.standin.engine;

/** The client cancelled the running request. Not an error: it unwinds the request, and the session stays open. */
public final class RequestCancelled extends RuntimeException {
    public RequestCancelled() {
        super("cancelled by the client", null, false, false);
    }
}
