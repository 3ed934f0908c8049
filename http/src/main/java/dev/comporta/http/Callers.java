package dev.comporta.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The connections of a port. When all places are taken, a caller is disconnected that has its response and lingers, else the
 * one whose request has been awaited for the longest, else the one that has taken the longest to take its response: so
 * callers that are slow, send nothing or do not read can't keep others out. Confined to the event loop.
 */
final class Callers {
    private final int most;
    private final int mostStreams;
    /** Those with a place, but for the readers of streams, which have places of their own. */
    private final Set<HttpCaller> all = new LinkedHashSet<>();
    /** Those that have not sent a whole request, the longest first. */
    private final Set<HttpCaller> silent = new LinkedHashSet<>();
    /** Those that take their response, the longest first. */
    private final Set<HttpCaller> taking = new LinkedHashSet<>();
    /** Those that have their last response, and have not hung up. */
    private final Set<HttpCaller> served = new LinkedHashSet<>();

    private final Set<HttpCaller> streaming = new LinkedHashSet<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private boolean closing;

    Callers(int most, int mostStreams) {
        this.most = most;
        this.mostStreams = mostStreams;
    }

    /** False when an answer is being made for everybody: then there is no place for this one. */
    boolean admit(HttpCaller caller) {
        if (closing) {
            return false;
        }
        if (all.size() >= most) {
            Optional<HttpCaller> leastMissed =
                    Stream.of(served, silent, taking).flatMap(Set::stream).findFirst();
            if (leastMissed.isEmpty()) {
                return false;
            }
            left(leastMissed.get());
            leastMissed.get().cutOff();
        }
        all.add(caller);
        silent.add(caller);
        return true;
    }

    void waits(HttpCaller caller) {
        taking.remove(caller);
        if (all.contains(caller)) {
            silent.add(caller);
        }
    }

    void serves(HttpCaller caller) {
        silent.remove(caller);
    }

    void takes(HttpCaller caller) {
        if (all.contains(caller)) {
            taking.add(caller);
        }
    }

    void lingers(HttpCaller caller) {
        taking.remove(caller);
        if (all.contains(caller)) {
            served.add(caller);
        }
    }

    /** Gives up its place for one among the readers of streams; false when there is none. */
    boolean streams(HttpCaller caller) {
        if (closing || streaming.size() >= mostStreams) {
            return false;
        }
        silent.remove(caller);
        all.remove(caller);
        streaming.add(caller);
        return true;
    }

    void left(HttpCaller caller) {
        silent.remove(caller);
        taking.remove(caller);
        served.remove(caller);
        all.remove(caller);
        streaming.remove(caller);
        tellIfGone();
    }

    boolean isClosing() {
        return closing;
    }

    /** Cuts off the silent, ends the streams, and lets the others have their answer. Completed when all have left. */
    CompletableFuture<Void> close() {
        closing = true;
        List.copyOf(silent).forEach(HttpCaller::cutOff);
        List.copyOf(streaming).forEach(HttpCaller::endStream);
        tellIfGone();
        return gone;
    }

    void cutOff() {
        List.copyOf(all).forEach(HttpCaller::cutOff);
        List.copyOf(streaming).forEach(HttpCaller::cutOff);
    }

    private void tellIfGone() {
        if (closing && all.isEmpty() && streaming.isEmpty()) {
            gone.complete(null);
        }
    }
}
