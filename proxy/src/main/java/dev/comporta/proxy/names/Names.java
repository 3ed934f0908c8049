package dev.comporta.proxy.names;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks up the addresses of a host, anew each time. */
public interface Names {
    /** The operating system's lookup. */
    Names SYSTEM = new SystemNames();

    /** Does not block. Completes on any thread: with at least one address, or with an {@link java.io.IOException}. */
    CompletableFuture<List<InetAddress>> lookUp(String host);
}
