package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * When a server connection is tested.
 *
 * @param onAcquire each time before it is attached to a client
 * @param onRelease each time after it is detached
 * @param afterIdle after it has been idle for this time; 0 means never
 */
public record ValidationConfig(boolean onAcquire, boolean onRelease, Duration afterIdle) {
    private static final Key<Boolean> ON_ACQUIRE = Key.of("on_acquire", ValueTypes.bool(), "false");
    private static final Key<Boolean> ON_RELEASE = Key.of("on_release", ValueTypes.bool(), "false");
    private static final Key<Duration> AFTER_IDLE = Key.of("after_idle", ValueTypes.durationOrOff(), "30s");

    static final Schema SCHEMA = Schema.of(ON_ACQUIRE, ON_RELEASE, AFTER_IDLE);

    static ValidationConfig read(Section section) {
        return new ValidationConfig(section.get(ON_ACQUIRE), section.get(ON_RELEASE), section.get(AFTER_IDLE));
    }
}
