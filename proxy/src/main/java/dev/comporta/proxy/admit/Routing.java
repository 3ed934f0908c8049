package dev.comporta.proxy.admit;

import dev.comporta.tds.login.Login7;

/** Decides which bucket a client belongs to. Asked on any event loop. */
@FunctionalInterface
public interface Routing {
    /** The result of routing a login. */
    sealed interface Destination {
        record Bucket(String id) implements Destination {}

        /** @param reason the error text for the client, with what to do about it */
        record Nowhere(String reason) implements Destination {}
    }

    /** @param listener the name of the listener on which the client connected */
    Destination route(Login7 login, String listener);
}
