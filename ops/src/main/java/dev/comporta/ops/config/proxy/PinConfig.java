package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * How long a client may keep a server connection that others share.
 *
 * @param maxTime zero means no limit
 */
public record PinConfig(Duration maxTime, PinAction action) {
    private static final Key<Duration> MAX_PIN_TIME = Key.of("max_pin_time", ValueTypes.durationOrOff(), "0s");
    private static final Key<PinAction> MAX_PIN_ACTION =
            Key.of("max_pin_action", ValueTypes.choice(PinAction.class), "warn");

    static final Schema SCHEMA = Schema.of(MAX_PIN_TIME, MAX_PIN_ACTION);

    static PinConfig read(Section section) {
        PinConfig pins = new PinConfig(section.get(MAX_PIN_TIME), section.get(MAX_PIN_ACTION));
        if (pins.maxTime.isZero() && section.has(MAX_PIN_ACTION)) {
            section.warn(
                    MAX_PIN_ACTION.name(),
                    "It has no effect without max_pin_time.",
                    "Add 'max_pin_time:' with a duration such as 10m, or remove it.");
        }
        return pins;
    }
}
