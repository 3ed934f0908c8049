package dev.comporta.jdbc.carrier;

import org.jspecify.annotations.Nullable;

/** The free seats. As many are made as there were ever clients at the same time. Guarded by the carrier's lock. */
final class Seats {
    private @Nullable Seat free;

    Seat take() {
        Seat seat = free;
        if (seat == null) {
            return new Seat();
        }
        free = seat.nextFree;
        seat.nextFree = null;
        return seat;
    }

    void free(Seat seat) {
        seat.outcome = null;
        seat.thread = null;
        seat.nextFree = free;
        free = seat;
    }
}
