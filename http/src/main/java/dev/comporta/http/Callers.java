package dev.comporta.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The connections of a port, up to a limit. At the limit, a new connection replaces one that lingers after its response; else
 * the one that has been waiting for a request for the longest; else the one that has been reading its response for the
 * longest. So callers that are slow, send nothing or do not read can't lock others out. Confined to the event loop.
 */
final class Callers {
    private final int most;
    private final int mostStreams;
    /** All callers but the readers of streams, which have a limit of their own. */
    private final Set<HttpCaller> all = new LinkedHashSet<>();
    /** Callers that have not sent a whole request, the longest waiting first. */
    private final Set<HttpCaller> silent = new LinkedHashSet<>();
    /** Callers that are reading their response, the longest reading first. */
    private final Set<HttpCaller> taking = new LinkedHashSet<>();
    /** Callers that have got their last response, and have not closed the connection. */
    private final Set<HttpCaller> served = new LinkedHashSet<>();

    private final Set<HttpCaller> streaming = new LinkedHashSet<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private boolean closing;

    Callers(int most, int mostStreams) {
        this.most = most;
        this.mostStreams = mostStreams;
    }

    /** Returns false if the limit is reached and a response is being made for every caller: then none can be replaced. */
    boolean admit(HttpCaller caller) {
        if (closing) {
            return false;
        }
        if (all.size() >= most) {
            Optional<HttpCaller> replaced =
                    Stream.of(served, silent, taking).flatMap(Set::stream).findFirst();
            if (replaced.isEmpty()) {
                return false;
            }
            left(replaced.get());
            replaced.get().cutOff();
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

    /** Moves a caller to the readers of streams; returns false if their limit is reached. */
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
        completeIfGone();
    }

    boolean isClosing() {
        return closing;
    }

    /** Disconnects callers without a request, ends the streams, and lets the others finish. Completed when all have left. */
    CompletableFuture<Void> close() {
        closing = true;
        List.copyOf(silent).forEach(HttpCaller::cutOff);
        List.copyOf(streaming).forEach(HttpCaller::endStream);
        completeIfGone();
        return gone;
    }

    void cutOff() {
        List.copyOf(all).forEach(HttpCaller::cutOff);
        List.copyOf(streaming).forEach(HttpCaller::cutOff);
    }

    private void completeIfGone() {
        if (closing && all.isEmpty() && streaming.isEmpty()) {
            gone.complete(null);
        }
    }
}
