package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/** The ports of health checks and metrics. 0 takes any free port. */
public record HttpConfig(int healthCheckPort, int metricsPort) {
    private static final Key<Integer> HEALTH_CHECK_PORT =
            Key.of("health_check_port", ValueTypes.listeningPort(), "8080");
    private static final Key<Integer> METRICS_PORT = Key.of("metrics_port", ValueTypes.listeningPort(), "9090");

    static final Schema SCHEMA = Schema.of(HEALTH_CHECK_PORT, METRICS_PORT);

    public HttpConfig {
        new Consistency()
                .refuse(
                        metricsPort != 0 && metricsPort == healthCheckPort,
                        "The health checks already listen on port " + metricsPort + ".",
                        "Choose another port for one of them.",
                        "metrics_port",
                        "health_check_port")
                .orThrow();
    }

    static HttpConfig read(Section section) {
        return section.make(proxy -> new HttpConfig(proxy.get(HEALTH_CHECK_PORT), proxy.get(METRICS_PORT)));
    }
}
