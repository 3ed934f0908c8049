package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;

/**
 * Where health checks, the admin API and metrics are served. Port 0 takes any free port.
 *
 * @param tls whether both ports use TLS, with the certificate of {@code proxy.tls}
 */
public record HttpConfig(
        String healthCheckAddress, int healthCheckPort, String metricsAddress, int metricsPort, Tls tls) {
    /** Whether the ports speak HTTPS. */
    public enum Tls {
        OFF,
        ON
    }

    private static final String EVERYWHERE = "0.0.0.0";

    private static final Key<String> HEALTH_CHECK_ADDR =
            Key.of("health_check_addr", ValueTypes.text("an address to listen on"), EVERYWHERE);
    private static final Key<Integer> HEALTH_CHECK_PORT =
            Key.of("health_check_port", ValueTypes.listeningPort(), "8080");
    private static final Key<String> METRICS_ADDR =
            Key.of("metrics_addr", ValueTypes.text("an address to listen on"), EVERYWHERE);
    private static final Key<Integer> METRICS_PORT = Key.of("metrics_port", ValueTypes.listeningPort(), "9090");
    private static final Key<Tls> HTTP_TLS = Key.of("http_tls", ValueTypes.choice(Tls.class), "off");

    static final Schema SCHEMA = Schema.of(HEALTH_CHECK_ADDR, HEALTH_CHECK_PORT, METRICS_ADDR, METRICS_PORT, HTTP_TLS);

    public HttpConfig {
        new Consistency()
                .refuse(
                        PortClaims.collide(metricsAddress, metricsPort, healthCheckAddress, healthCheckPort),
                        METRICS_PORT.name(),
                        HEALTH_CHECK_PORT.name())
                .because(
                        "The health checks already listen on port " + metricsPort + ".",
                        "Choose another port for one of them.")
                .orThrow();
    }

    public boolean isEncrypted() {
        return tls == Tls.ON;
    }

    static HttpConfig read(Section section) {
        return section.make(proxy -> new HttpConfig(
                proxy.get(HEALTH_CHECK_ADDR),
                proxy.get(HEALTH_CHECK_PORT),
                proxy.get(METRICS_ADDR),
                proxy.get(METRICS_PORT),
                proxy.get(HTTP_TLS)));
    }

    /** Without TLS for clients there is no certificate for these ports. */
    void check(Section section, SectionKey tlsSection, TlsConfig clients) {
        if (isEncrypted() && clients.mode() == TlsConfig.Mode.OFF) {
            section.error(
                    HTTP_TLS.name(),
                    "HTTPS uses the certificate of '" + tlsSection.name() + "', and its mode is off.",
                    "Set 'mode' in '" + tlsSection.name() + "' to optional or required, or set 'http_tls' to off.");
        }
    }
}
