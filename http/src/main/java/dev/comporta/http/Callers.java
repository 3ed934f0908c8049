package dev.comporta.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of a port. When all places are taken, the caller that has been waited for the longest makes room: so those
 * that send slowly or never can't keep out others. Confined to the event loop.
 */
final class Callers {
    private final int most;
    private final Set<HttpCaller> all = new LinkedHashSet<>();
    /** Those that have not sent a whole request, the longest first. */
    private final Set<HttpCaller> silent = new LinkedHashSet<>();

    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private boolean closing;

    Callers(int most) {
        this.most = most;
    }

    /** False when everybody is being served: then there is no place for this one. */
    boolean admit(HttpCaller caller) {
        if (closing) {
            return false;
        }
        if (all.size() >= most) {
            if (silent.isEmpty()) {
                return false;
            }
            HttpCaller longest = silent.iterator().next();
            left(longest);
            longest.cutOff();
        }
        all.add(caller);
        silent.add(caller);
        return true;
    }

    void waits(HttpCaller caller) {
        if (all.contains(caller)) {
            silent.add(caller);
        }
    }

    void serves(HttpCaller caller) {
        silent.remove(caller);
    }

    void left(HttpCaller caller) {
        silent.remove(caller);
        all.remove(caller);
        tellIfGone();
    }

    boolean isClosing() {
        return closing;
    }

    /** Cuts off the silent, and lets those that are being served have their answer. Completed when all have left. */
    CompletableFuture<Void> close() {
        closing = true;
        List.copyOf(silent).forEach(HttpCaller::cutOff);
        tellIfGone();
        return gone;
    }

    void cutOff() {
        List.copyOf(all).forEach(HttpCaller::cutOff);
    }

    private void tellIfGone() {
        if (closing && all.isEmpty()) {
            gone.complete(null);
        }
    }
}
