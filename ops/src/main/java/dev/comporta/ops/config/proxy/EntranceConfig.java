package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.AddressRange;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.util.List;

/**
 * Which addresses may connect to a listener.
 *
 * @param trustedProxies addresses whose PROXY headers are believed
 * @param allow empty means everybody
 * @param deny overrides {@code allow}
 */
public record EntranceConfig(
        ProxyProtocol proxyProtocol,
        List<AddressRange> trustedProxies,
        List<AddressRange> allow,
        List<AddressRange> deny) {
    private static final Key<ProxyProtocol> PROXY_PROTOCOL =
            Key.of("proxy_protocol", ValueTypes.choice(ProxyProtocol.class), "off");
    private static final ListKey<AddressRange> TRUSTED_PROXIES =
            ListKey.of("trusted_proxies", ValueTypes.addressRange(), "none is trusted");
    private static final ListKey<AddressRange> ALLOW = ListKey.of("allow", ValueTypes.addressRange(), "everybody");
    private static final ListKey<AddressRange> DENY = ListKey.of("deny", ValueTypes.addressRange(), "nobody");

    static final Schema SCHEMA = Schema.of(PROXY_PROTOCOL, TRUSTED_PROXIES, ALLOW, DENY);

    public EntranceConfig {
        trustedProxies = List.copyOf(trustedProxies);
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        new Consistency()
                .refuse(
                        proxyProtocol != ProxyProtocol.OFF && trustedProxies.isEmpty(),
                        "proxy_protocol",
                        "trusted_proxies")
                .because(
                        "PROXY headers are read, but no load balancer is trusted.",
                        "List the addresses of the load balancers in 'trusted_proxies'.")
                .refuse(
                        proxyProtocol == ProxyProtocol.OFF && !trustedProxies.isEmpty(),
                        "trusted_proxies",
                        "proxy_protocol")
                .because(
                        "Load balancers are trusted, but their PROXY headers are not read.",
                        "Set 'proxy_protocol' to required or optional, or remove 'trusted_proxies'.")
                .orThrow();
    }

    static EntranceConfig read(Section section) {
        EntranceConfig read = section.make(entrance -> new EntranceConfig(
                entrance.get(PROXY_PROTOCOL),
                entrance.list(TRUSTED_PROXIES),
                entrance.list(ALLOW),
                entrance.list(DENY)));
        if (read.trustedProxies.stream().anyMatch(AddressRange::isEverything)) {
            section.warn(
                    TRUSTED_PROXIES.name(),
                    "Anyone who can connect can claim any address.",
                    "List the addresses of the load balancers only.");
        }
        return read;
    }
}
