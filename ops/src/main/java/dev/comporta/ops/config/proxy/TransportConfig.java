package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/** @param eventLoops 0 means one for each core */
public record TransportConfig(TransportChoice transport, int eventLoops) {
    private static final Key<TransportChoice> TRANSPORT =
            Key.of("transport", ValueTypes.choice(TransportChoice.class), "auto");
    private static final Key<Integer> EVENT_LOOPS = Key.of("event_loops", ValueTypes.integer(0, 1024), "0");

    static final Schema SCHEMA = Schema.of(TRANSPORT, EVENT_LOOPS);

    static TransportConfig read(Section section) {
        return new TransportConfig(section.get(TRANSPORT), section.get(EVENT_LOOPS));
    }
}
