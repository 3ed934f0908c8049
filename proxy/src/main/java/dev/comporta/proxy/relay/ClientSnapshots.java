package dev.comporta.proxy.relay;

import dev.comporta.proxy.watch.ClientSnapshot;

/** Maps a client's phase to the state that people see. */
final class ClientSnapshots {
    private ClientSnapshots() {}

    static ClientSnapshot.State state(ClientPhase phase, boolean hasServer) {
        return switch (phase) {
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET -> ClientSnapshot.State.LOGGING_IN;
            case RESTING, CLOSED -> hasServer ? ClientSnapshot.State.PINNED : ClientSnapshot.State.RESTING;
            case ASKING, QUEUED -> ClientSnapshot.State.WAITING;
            case GATHERING, GIVEN, PREPARING, PREPARING_CANCELLED, SENDING, RESPONDING -> ClientSnapshot.State.ACTIVE;
            case CANCELLING, TIMED_OUT, PROBING, REFUSED, ANSWERED_EARLY -> ClientSnapshot.State.ACTIVE;
        };
    }

    /** Whether the latest request of a client was sent to the server, answered or refused; false while it is only held. */
    static boolean isSent(ClientPhase phase) {
        return switch (phase) {
            case GATHERING, ASKING, QUEUED, GIVEN, PREPARING, PREPARING_CANCELLED -> false;
            case ENTERING_ASKING, ENTERING_QUEUED, ENTERING_RESET, RESTING, SENDING, RESPONDING -> true;
            case CANCELLING, TIMED_OUT, PROBING, REFUSED, ANSWERED_EARLY, CLOSED -> true;
        };
    }
}
