package dev.comporta.proxy.names;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Finds the addresses of a host, anew each time. */
public interface Names {
    /** What the operating system says. */
    Names SYSTEM = new SystemNames();

    /**
     * Does not block, and is completed on whatever thread: with at least one address, or with an {@link
     * java.io.IOException}.
     */
    CompletableFuture<List<InetAddress>> lookUp(String host);
}
