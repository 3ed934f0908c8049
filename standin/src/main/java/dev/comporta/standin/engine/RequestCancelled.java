package dev.comporta.standin.engine;

/** The client cancelled the request that is running. Not an error: it unwinds the request, and the session goes on. */
public final class RequestCancelled extends RuntimeException {
    public RequestCancelled() {
        super("cancelled by the client", null, false, false);
    }
}
