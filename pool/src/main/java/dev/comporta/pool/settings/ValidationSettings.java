package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * When a connection has to prove that it works before a client gets it.
 *
 * @param onAcquire {@code validate_on_acquire}: each time an idle one is about to be handed out
 * @param onRelease {@code validate_on_release}: each time one comes back
 * @param afterIdle {@code validation_interval}: when an idle one is about to be handed out and the server has not answered
 *     on it for this long; 0 for never
 */
public record ValidationSettings(boolean onAcquire, boolean onRelease, Duration afterIdle) {
    public static final ValidationSettings DEFAULTS = new ValidationSettings(false, false, Duration.ofSeconds(30));

    public ValidationSettings {
        Require.notNegative("validation_interval", afterIdle);
    }
}
