package dev.comporta.proxy.listen;

import java.time.Duration;

/**
 * When the kernel gives up a peer that has vanished without FIN or RST; by default it takes hours. A
 * peer that is there answers the probes however idle it is.
 *
 * @param idle before the first probe
 * @param interval between probes
 * @param count of probes without an answer
 * @param userTimeout for what was sent and not acknowledged; 0 leaves it to the system
 */
public record KeepAlive(Duration idle, Duration interval, int count, Duration userTimeout) {
    /** Less than a minute all together. */
    public static final KeepAlive DEFAULTS =
            new KeepAlive(Duration.ofSeconds(20), Duration.ofSeconds(5), 5, Duration.ofSeconds(45));
}
