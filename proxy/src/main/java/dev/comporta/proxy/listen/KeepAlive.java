package dev.comporta.proxy.listen;

import java.time.Duration;

/**
 * When the kernel closes a connection whose peer has vanished without FIN or RST; by default it takes hours. A living peer
 * answers the probes however idle it is.
 *
 * @param idle time before the first probe
 * @param interval time between probes
 * @param count unanswered probes before the connection is closed
 * @param userTimeout timeout of sent data that is not acknowledged; 0 for the system's default
 */
public record KeepAlive(Duration idle, Duration interval, int count, Duration userTimeout) {
    /** A vanished peer is noticed in less than a minute. */
    public static final KeepAlive DEFAULTS =
            new KeepAlive(Duration.ofSeconds(20), Duration.ofSeconds(5), 5, Duration.ofSeconds(45));
}
