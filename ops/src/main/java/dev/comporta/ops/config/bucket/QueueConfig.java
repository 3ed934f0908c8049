package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;
import java.time.Duration;

/** How requests wait that find no free connection. */
public record QueueConfig(
        ExhaustionPolicy policy,
        OverflowConfig overflow,
        Duration timeout,
        int maxSize,
        WhenDown whenDown,
        Fairness fairness) {
    private static final Key<ExhaustionPolicy> POLICY =
            Key.of("exhaustion_policy", ValueTypes.choice(ExhaustionPolicy.class), "wait");
    private static final SectionKey OVERFLOW = new SectionKey("overflow", OverflowConfig.SCHEMA);
    private static final Key<Duration> TIMEOUT =
            Key.derived("queue_timeout", ValueTypes.duration(), "proxy.queue_timeout");
    private static final Key<Integer> MAX_SIZE =
            Key.derived("max_queue_size", ValueTypes.integer(1, 1_000_000), "proxy.max_queue_size");
    private static final Key<WhenDown> WHEN_DOWN = Key.of("when_down", ValueTypes.choice(WhenDown.class), "wait");
    private static final Key<Fairness> FAIRNESS = Key.of("fairness", ValueTypes.choice(Fairness.class), "fifo");

    static final Schema SCHEMA = Schema.of(POLICY, OVERFLOW, TIMEOUT, MAX_SIZE, WHEN_DOWN, FAIRNESS);

    static QueueConfig read(Section section, ProxyConfig proxy) {
        QueueConfig settings = new QueueConfig(
                section.get(POLICY),
                OverflowConfig.read(section.child(OVERFLOW)),
                section.get(TIMEOUT, proxy.timeouts().queue()),
                section.get(MAX_SIZE, proxy.maxQueueSize()),
                section.get(WHEN_DOWN),
                section.get(FAIRNESS));
        if (section.has(OVERFLOW) && settings.policy != ExhaustionPolicy.OVERFLOW) {
            section.warn(
                    OVERFLOW.name(),
                    "It has no effect: exhaustion_policy is not overflow.",
                    "Set 'exhaustion_policy: overflow', or remove the section.");
        }
        return settings;
    }
}
