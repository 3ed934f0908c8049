package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/** @param eventLoops 0 means one for each core */
public record TransportSettings(Transport transport, int eventLoops) {
    private static final Key<Transport> TRANSPORT = Key.of("transport", ValueTypes.choice(Transport.class), "auto");
    private static final Key<Integer> EVENT_LOOPS = Key.of("event_loops", ValueTypes.integer(0, 1024), "0");

    static final Schema SCHEMA = Schema.of(TRANSPORT, EVENT_LOOPS);

    static TransportSettings read(Section section) {
        return new TransportSettings(section.get(TRANSPORT), section.get(EVENT_LOOPS));
    }
}
