package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.util.Optional;

/**
 * Limits on the memory and sockets that clients take.
 *
 * @param maxClients 0 means as many as the system's limit on file descriptors allows
 * @param packetSize the largest TDS packet size that Comporta negotiates
 * @param loginSize the largest LOGIN7 message, all its packets together
 * @param highWatermark bytes waiting to be written to one side, from which on the other side is not read
 * @param lowWatermark bytes still waiting at which reading resumes
 * @param maxPendingLogins connections of one listener that have not sent their login yet
 * @param maxPendingLoginsPerAddress 0 means no limit
 * @param maxClientsPerAddress logged in or not; 0 means no limit
 * @param maxHandshakes concurrent TLS handshakes; 0 means no limit
 * @param pendingLoginBytes bytes buffered for all unfinished logins together; a share of the process's memory when absent
 */
public record LimitConfig(
        int maxClients,
        int packetSize,
        int loginSize,
        int highWatermark,
        int lowWatermark,
        int maxPendingLogins,
        int maxPendingLoginsPerAddress,
        int maxClientsPerAddress,
        int maxHandshakes,
        Optional<Integer> pendingLoginBytes) {
    private static final Key<Integer> MAX_CLIENTS = Key.of("max_clients", ValueTypes.integer(0, 1_000_000), "0");
    // MS-TDS allows packets of 512 to 32,767 bytes, and a LOGIN7 message of less than 128 KB.
    private static final Key<Integer> PACKET_SIZE = Key.of("packet_size", ValueTypes.size(512, 32_767), "32767");
    private static final Key<Integer> LOGIN_SIZE = Key.of("login_size", ValueTypes.size(4 << 10, 128 << 10), "128KB");
    private static final Key<Integer> HIGH_WATERMARK =
            Key.of("high_watermark", ValueTypes.size(4 << 10, 64 << 20), "64KB");
    private static final Key<Integer> LOW_WATERMARK =
            Key.of("low_watermark", ValueTypes.size(1 << 10, 64 << 20), "32KB");
    private static final Key<Integer> MAX_PENDING_LOGINS =
            Key.of("max_pending_logins", ValueTypes.integer(16, 100_000), "4096");
    private static final Key<Integer> MAX_PENDING_LOGINS_PER_ADDRESS =
            Key.of("max_pending_logins_per_address", ValueTypes.integer(0, 100_000), "0");
    private static final Key<Integer> MAX_CLIENTS_PER_ADDRESS =
            Key.of("max_clients_per_address", ValueTypes.integer(0, 1_000_000), "0");
    private static final Key<Integer> MAX_HANDSHAKES = Key.of("max_handshakes", ValueTypes.integer(0, 100_000), "256");
    private static final Key<Integer> PENDING_LOGIN_BYTES = Key.derived(
            "pending_login_bytes", ValueTypes.size(1 << 20, 1 << 30), "a sixteenth of the memory for network buffers");

    static final Schema SCHEMA = Schema.of(MAX_CLIENTS, PACKET_SIZE, LOGIN_SIZE, HIGH_WATERMARK, LOW_WATERMARK)
            .plus(MAX_PENDING_LOGINS, MAX_PENDING_LOGINS_PER_ADDRESS, MAX_CLIENTS_PER_ADDRESS)
            .plus(MAX_HANDSHAKES, PENDING_LOGIN_BYTES);

    public LimitConfig {
        new Consistency()
                .refuse(lowWatermark > highWatermark, "low_watermark", "high_watermark")
                .because(
                        "It is above high_watermark, so that reading would never stop.",
                        "Make it at most high_watermark.")
                .refuse(
                        maxPendingLoginsPerAddress > maxPendingLogins,
                        "max_pending_logins_per_address",
                        "max_pending_logins")
                .because(
                        "It is above max_pending_logins, so that it would never be reached.",
                        "Make it at most max_pending_logins, or 0 for no limit of its own.")
                .orThrow();
    }

    static LimitConfig read(Section section) {
        return section.make(limits -> new LimitConfig(
                limits.get(MAX_CLIENTS),
                limits.get(PACKET_SIZE),
                limits.get(LOGIN_SIZE),
                limits.get(HIGH_WATERMARK),
                limits.get(LOW_WATERMARK),
                limits.get(MAX_PENDING_LOGINS),
                limits.get(MAX_PENDING_LOGINS_PER_ADDRESS),
                limits.get(MAX_CLIENTS_PER_ADDRESS),
                limits.get(MAX_HANDSHAKES),
                Optional.ofNullable(limits.find(PENDING_LOGIN_BYTES))));
    }
}
