package dev.comporta.proxy.names;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The operating system's own lookup: /etc/hosts, DNS, and whatever else is configured, as {@code getent ahosts} shows it.
 * Nothing is cached here, and the JVM's cache, which ignores the TTL of DNS, is switched off; an answer may come from a cache
 * of the operating system, which respects it. A lookup blocks, so it runs on its own thread; concurrent lookups of the same
 * name share one, so that there are never more such threads than names.
 */
public final class SystemNames implements Names {
    /** A lookup that blocks. */
    @FunctionalInterface
    interface Lookup {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    private final ConcurrentMap<String, CompletableFuture<List<InetAddress>>> underWay = new ConcurrentHashMap<>();
    private final Lookup lookup;

    SystemNames() {
        this(InetAddress::getAllByName);
        switchOffCache();
    }

    SystemNames(Lookup lookup) {
        this.lookup = lookup;
    }

    /** Has no effect once the JVM has looked up its first name: call it before anything else. */
    public static void switchOffCache() {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        Security.setProperty("networkaddress.cache.stale.ttl", "0");
    }

    @Override
    public CompletableFuture<List<InetAddress>> lookUp(String host) {
        try {
            return CompletableFuture.completedFuture(List.of(InetAddress.ofLiteral(host)));
        } catch (IllegalArgumentException isName) {
            return lookUpName(host);
        }
    }

    private CompletableFuture<List<InetAddress>> lookUpName(String host) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> shared = underWay.putIfAbsent(host, answer);
        if (shared != null) {
            return shared;
        }
        // Not a virtual thread: the system call would block its carrier, and an unreachable DNS all carriers.
        try {
            Thread.ofPlatform().daemon().name("lookup " + host).start(() -> lookUp(host, answer));
        } catch (OutOfMemoryError noThread) {
            underWay.remove(host, answer);
            answer.completeExceptionally(new IOException("no thread could be started to look it up", noThread));
        }
        return answer;
    }

    private void lookUp(String host, CompletableFuture<List<InetAddress>> answer) {
        try {
            List<InetAddress> found = List.of(lookup.of(host));
            underWay.remove(host, answer); // before the future completes: a later request starts a new lookup
            answer.complete(found);
        } catch (UnknownHostException | RuntimeException | Error failed) {
            // Errors too: all later requests for this name would share a lookup that never completes.
            underWay.remove(host, answer);
            answer.completeExceptionally(failed);
        }
    }
}
