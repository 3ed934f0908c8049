package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.log.LogConfig;
import dev.comporta.ops.config.log.SlowLogConfig;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Environment;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;
import dev.comporta.ops.config.yaml.SectionsKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of this instance as a whole.
 *
 * @param listeners the main one first
 * @param maxQueueSize the default for buckets
 * @param pinningMode the default of the buckets' {@code pool_mode}
 */
public record ProxyConfig(
        String instanceId,
        List<ListenerConfig> listeners,
        TimeoutConfig timeouts,
        int maxQueueSize,
        PoolMode pinningMode,
        TlsConfig tls,
        HttpConfig http,
        MetricsConfig metrics,
        SlowLogConfig slowLog,
        TransportConfig transport,
        LimitConfig limits,
        TcpConfig tcp,
        AdminConfig admin,
        LogConfig log,
        PinConfig pins,
        List<RouteConfig> routes,
        Optional<String> defaultBucket) {
    private static final Key<String> LISTEN_ADDR =
            Key.of("listen_addr", ValueTypes.text("an address to listen on"), "0.0.0.0");
    private static final Key<Integer> LISTEN_PORT = Key.of("listen_port", ValueTypes.listeningPort(), "1433");
    private static final Key<String> INSTANCE_ID =
            Key.derived("instance_id", ValueTypes.identifier("a name for this instance"), "the host name");
    private static final Key<Integer> MAX_QUEUE_SIZE =
            Key.of("max_queue_size", ValueTypes.integer(1, 1_000_000), "1000");
    private static final Key<PoolMode> PINNING_MODE =
            Key.of("pinning_mode", ValueTypes.choice(PoolMode.class), "transaction");
    public static final Key<String> DEFAULT_BUCKET = Key.derived(
            "default_bucket", ValueTypes.text("the id of a bucket"), "a login that no route fits is refused");
    private static final SectionsKey LISTENERS = new SectionsKey("listeners", ListenerConfig.SCHEMA, "name");
    private static final SectionKey TLS = new SectionKey("tls", TlsConfig.SCHEMA);
    private static final SectionKey METRICS = new SectionKey("metrics", MetricsConfig.SCHEMA);
    private static final SectionKey LIMITS = new SectionKey("limits", LimitConfig.SCHEMA);
    private static final SectionKey TCP = new SectionKey("tcp", TcpConfig.SCHEMA);
    private static final SectionKey ADMIN = new SectionKey("admin", AdminConfig.SCHEMA);
    private static final SectionKey LOG = new SectionKey("log", LogConfig.SCHEMA);
    public static final SectionsKey ROUTES = new SectionsKey("routes", RouteConfig.SCHEMA, "bucket");

    public static final Schema SCHEMA = Schema.of(
                    LISTEN_ADDR, LISTEN_PORT, LISTENERS, INSTANCE_ID, MAX_QUEUE_SIZE, PINNING_MODE, DEFAULT_BUCKET)
            .plus(TLS, METRICS, LIMITS, TCP, ADMIN, LOG, ROUTES)
            .plus(EntranceConfig.SCHEMA)
            .plus(TimeoutConfig.SCHEMA)
            .plus(PinConfig.SCHEMA)
            .plus(HttpConfig.SCHEMA)
            .plus(SlowLogConfig.SCHEMA)
            .plus(TransportConfig.SCHEMA);

    public static ProxyConfig read(Section section, String hostName, Environment environment) {
        HttpConfig http = HttpConfig.read(section);
        TlsConfig tls = TlsConfig.read(section.child(TLS));
        http.check(section, TLS, tls);
        return new ProxyConfig(
                section.get(INSTANCE_ID, hostName),
                listeners(section, http),
                TimeoutConfig.read(section),
                section.get(MAX_QUEUE_SIZE),
                section.get(PINNING_MODE),
                tls,
                http,
                MetricsConfig.read(section.child(METRICS)),
                SlowLogConfig.read(section),
                TransportConfig.read(section),
                LimitConfig.read(section.child(LIMITS)),
                TcpConfig.read(section.child(TCP)),
                AdminConfig.read(section.child(ADMIN)),
                LogConfig.read(section.child(LOG), environment),
                PinConfig.read(section),
                section.children(ROUTES, null).stream().map(RouteConfig::read).toList(),
                Optional.ofNullable(section.find(DEFAULT_BUCKET)));
    }

    private static List<ListenerConfig> listeners(Section section, HttpConfig http) {
        PortClaims claims = new PortClaims();
        claims.claim(http.healthCheckAddress(), http.healthCheckPort(), "the health checks");
        claims.claim(http.metricsAddress(), http.metricsPort(), "the metrics");
        List<ListenerConfig> listeners = new ArrayList<>();
        ListenerConfig main = new ListenerConfig(
                ListenerConfig.MAIN, section.get(LISTEN_ADDR), section.get(LISTEN_PORT), EntranceConfig.read(section));
        listeners.add(main);
        claims.claim(section, LISTEN_PORT.name(), main);

        Set<String> names = new HashSet<>(Set.of(main.name()));
        for (Section item : section.children(LISTENERS, null)) {
            ListenerConfig listener = ListenerConfig.read(item);
            if (!names.add(listener.name())) {
                item.error("name", "There is another listener of this name.", "Choose another name.");
            }
            claims.claim(item, "port", listener);
            listeners.add(listener);
        }
        return List.copyOf(listeners);
    }
}
