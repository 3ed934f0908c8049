package dev.comporta.ops.config;

import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.ValueTypes;

/**
 * What a client may cost this instance.
 *
 * @param maxClients 0 means as many as the system lets in
 * @param packetSize the largest TDS packet that is agreed to
 * @param loginSize the largest LOGIN7 message, all its packets together
 * @param highWatermark when so many bytes wait to be written to one side, the other is read no further
 * @param lowWatermark when so few are left, reading goes on
 */
public record LimitSettings(int maxClients, int packetSize, int loginSize, int highWatermark, int lowWatermark) {
    private static final Key<Integer> MAX_CLIENTS = Key.of("max_clients", ValueTypes.integer(0, 1_000_000), "0");
    // MS-TDS allows packets of 512 to 32,767 bytes, and a LOGIN7 message of less than 128 KB.
    private static final Key<Integer> PACKET_SIZE = Key.of("packet_size", ValueTypes.size(512, 32_767), "32767");
    private static final Key<Integer> LOGIN_SIZE = Key.of("login_size", ValueTypes.size(4 << 10, 128 << 10), "128KB");
    private static final Key<Integer> HIGH_WATERMARK =
            Key.of("high_watermark", ValueTypes.size(4 << 10, 64 << 20), "64KB");
    private static final Key<Integer> LOW_WATERMARK =
            Key.of("low_watermark", ValueTypes.size(1 << 10, 64 << 20), "32KB");

    static final Schema SCHEMA = Schema.of(MAX_CLIENTS, PACKET_SIZE, LOGIN_SIZE, HIGH_WATERMARK, LOW_WATERMARK);

    public LimitSettings {
        new Consistency()
                .refuse(
                        lowWatermark > highWatermark,
                        "It is above high_watermark, so that reading would never stop.",
                        "Make it at most high_watermark.",
                        "low_watermark",
                        "high_watermark")
                .orThrow();
    }

    static LimitSettings read(Section section) {
        return section.make(limits -> new LimitSettings(
                limits.get(MAX_CLIENTS),
                limits.get(PACKET_SIZE),
                limits.get(LOGIN_SIZE),
                limits.get(HIGH_WATERMARK),
                limits.get(LOW_WATERMARK)));
    }
}
