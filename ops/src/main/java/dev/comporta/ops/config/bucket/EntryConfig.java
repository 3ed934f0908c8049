package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.AddressRange;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;
import java.util.List;

/**
 * Limits on logins to a bucket.
 *
 * @param allow empty means everybody
 * @param deny overrides {@code allow}
 * @param maxFailedLogins failed attempts of one login that reach the server within the window; 0 means no limit
 */
public record EntryConfig(
        List<AddressRange> allow, List<AddressRange> deny, int maxFailedLogins, Duration failedLoginWindow) {
    private static final ListKey<AddressRange> ALLOW = ListKey.of("allow", ValueTypes.addressRange(), "everybody");
    private static final ListKey<AddressRange> DENY = ListKey.of("deny", ValueTypes.addressRange(), "nobody");
    private static final Key<Integer> MAX_FAILED_LOGINS = Key.of("max_failed_logins", ValueTypes.integer(0, 1000), "0");
    private static final Key<Duration> FAILED_LOGIN_WINDOW =
            Key.of("failed_login_window", ValueTypes.duration(), "10m");

    static final Schema SCHEMA = Schema.of(ALLOW, DENY, MAX_FAILED_LOGINS, FAILED_LOGIN_WINDOW);

    public EntryConfig {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    static EntryConfig read(Section section) {
        return new EntryConfig(
                section.list(ALLOW),
                section.list(DENY),
                section.get(MAX_FAILED_LOGINS),
                section.get(FAILED_LOGIN_WINDOW));
    }
}
