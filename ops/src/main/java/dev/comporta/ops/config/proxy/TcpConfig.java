package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * How soon the kernel detects that a client or a server has vanished without FIN or RST, and how long a server may take to
 * close its side of a connection.
 *
 * @param keepaliveIdle before the first probe
 * @param keepaliveInterval between probes
 * @param keepaliveCount probes without an answer until the connection is closed
 * @param userTimeout how long sent data may stay unacknowledged; 0 means the system's default
 * @param closeTimeout how long a server may take to close its side; 0 means as long as its machine answers
 */
public record TcpConfig(
        Duration keepaliveIdle,
        Duration keepaliveInterval,
        int keepaliveCount,
        Duration userTimeout,
        Duration closeTimeout) {
    private static final Duration LEAST = Duration.ofSeconds(1);
    /** Linux's maximum. */
    private static final int MOST_PROBES = 127;

    private static final Duration LONGEST = Duration.ofSeconds(32_767);

    private static final Key<Duration> IDLE = Key.of("keepalive_idle", ValueTypes.duration(), "20s");
    private static final Key<Duration> INTERVAL = Key.of("keepalive_interval", ValueTypes.duration(), "5s");
    private static final Key<Integer> COUNT = Key.of("keepalive_count", ValueTypes.integer(1, MOST_PROBES), "5");
    private static final Key<Duration> USER_TIMEOUT = Key.of("user_timeout", ValueTypes.durationOrOff(), "45s");

    private static final Key<Duration> CLOSE_TIMEOUT = Key.of("close_timeout", ValueTypes.durationOrOff(), "5m");

    static final Schema SCHEMA = Schema.of(IDLE, INTERVAL, COUNT, USER_TIMEOUT, CLOSE_TIMEOUT);

    public TcpConfig {
        new Consistency()
                .refuse(!isWholeSeconds(keepaliveIdle), "keepalive_idle")
                .because("The kernel takes whole seconds, from 1 to 32767.", "Write it like 20s.")
                .refuse(!isWholeSeconds(keepaliveInterval), "keepalive_interval")
                .because("The kernel takes whole seconds, from 1 to 32767.", "Write it like 5s.")
                .refuse(
                        !userTimeout.isZero()
                                && (userTimeout.compareTo(LEAST) < 0 || userTimeout.compareTo(LONGEST) > 0),
                        "user_timeout")
                .because(
                        "A shorter timeout closes connections at every brief network fault; a longer one never closes them.",
                        "Set 1s to 9h, or 0 for the system's default.")
                .orThrow();
    }

    private static boolean isWholeSeconds(Duration value) {
        return value.equals(Duration.ofSeconds(value.toSeconds()))
                && value.compareTo(LEAST) >= 0
                && value.compareTo(LONGEST) <= 0;
    }

    static TcpConfig read(Section section) {
        return section.make(tcp -> new TcpConfig(
                tcp.get(IDLE), tcp.get(INTERVAL), tcp.get(COUNT), tcp.get(USER_TIMEOUT), tcp.get(CLOSE_TIMEOUT)));
    }
}
