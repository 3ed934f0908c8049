package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/**
 * @param eventLoops 0 means one for each core
 * @param reusePort whether another process may listen on the same ports at the same time
 */
public record TransportConfig(TransportChoice transport, int eventLoops, boolean reusePort) {
    private static final Key<TransportChoice> TRANSPORT =
            Key.of("transport", ValueTypes.choice(TransportChoice.class), "auto");
    private static final Key<Integer> EVENT_LOOPS = Key.of("event_loops", ValueTypes.integer(0, 1024), "0");
    private static final Key<Boolean> REUSE_PORT = Key.of("reuse_port", ValueTypes.bool(), "false");

    static final Schema SCHEMA = Schema.of(TRANSPORT, EVENT_LOOPS, REUSE_PORT);

    static TransportConfig read(Section section) {
        TransportConfig settings =
                new TransportConfig(section.get(TRANSPORT), section.get(EVENT_LOOPS), section.get(REUSE_PORT));
        if (settings.reusePort && settings.transport == TransportChoice.NIO) {
            section.error(
                    REUSE_PORT.name(),
                    "It needs transport epoll or io_uring; with nio a port has one process.",
                    "Set transport to auto or epoll, or reuse_port to false.");
        }
        return settings;
    }
}
