package dev.comporta.jdbc.carrier;

/** Why a client stopped waiting, if not because it was served or refused. */
enum WaitEnd {
    TIMEOUT,
    INTERRUPTED
}
