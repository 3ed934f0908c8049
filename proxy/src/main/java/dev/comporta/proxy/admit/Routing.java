package dev.comporta.proxy.admit;

import dev.comporta.tds.login.Login7;

/** Decides which bucket a client belongs to. Asked on any event loop. */
@FunctionalInterface
public interface Routing {
    /** Where a login leads. */
    sealed interface Destination {
        record Bucket(String id) implements Destination {}

        /** @param reason for the client, with what can be done about it */
        record Nowhere(String reason) implements Destination {}
    }

    /** @param listener the name of the listener that the client came in by */
    Destination route(Login7 login, String listener);
}
