package dev.comporta.ops.config;

import dev.comporta.ops.config.auth.AuthConfig;
import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.fleet.FallbackConfig;
import dev.comporta.ops.config.fleet.FleetConfig;
import dev.comporta.ops.config.fleet.LeasesIn;
import dev.comporta.ops.config.proxy.ProxyConfig;
import dev.comporta.ops.config.yaml.Environment;
import dev.comporta.ops.config.yaml.Findings;
import dev.comporta.ops.config.yaml.Location;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import dev.comporta.ops.config.yaml.SectionKey;
import dev.comporta.ops.config.yaml.SectionsKey;
import dev.comporta.ops.config.yaml.YamlFile;
import dev.comporta.ops.route.Router;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads proxy.yaml and buckets.yaml, and checks them against each other. */
public final class ConfigurationReader {
    private static final SectionKey PROXY = new SectionKey("proxy", ProxyConfig.SCHEMA);
    private static final SectionKey FALLBACK = new SectionKey("fallback", FallbackConfig.SCHEMA);

    /** The keys that proxy.yaml may have. */
    public static final Schema PROXY_FILE =
            Schema.of(PROXY, FleetConfig.LEASES, FleetConfig.REDIS, FleetConfig.DYNAMODB, FALLBACK);

    private static final SectionKey DEFAULTS = new SectionKey("defaults", BucketConfig.SCHEMA.without("id"));
    private static final SectionKey DATABASES = new SectionKey("databases", Schema.of(BucketConfig.FILE));
    private static final SectionsKey BUCKETS = new SectionsKey("buckets", BucketConfig.SCHEMA, "id");

    /** The keys that buckets.yaml may have. */
    public static final Schema BUCKETS_FILE = Schema.of(BUCKETS, DEFAULTS, DATABASES);

    private final Environment environment;
    private final String hostName;

    public ConfigurationReader(Environment environment, String hostName) {
        this.environment = environment;
        this.hostName = hostName;
    }

    public static ConfigurationReader ofThisProcess() {
        return new ConfigurationReader(System::getenv, hostNameOfThisMachine());
    }

    private static String hostNameOfThisMachine() {
        try {
            // An instance's id becomes part of Redis keys, which braces and blanks would break.
            return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
        } catch (UnknownHostException nameless) {
            return "comporta";
        }
    }

    public Reading read(Path proxyFile, Path bucketsFile) {
        Findings findings = new Findings();
        return read(
                YamlFile.read(proxyFile, environment, findings),
                YamlFile.read(bucketsFile, environment, findings),
                findings);
    }

    /** Reads from texts instead; relative paths in them start at {@code directory}. */
    public Reading read(String proxyYaml, String bucketsYaml, Path directory) {
        return read(
                YamlFile.of("proxy.yaml", directory, proxyYaml, environment),
                YamlFile.of("buckets.yaml", directory, bucketsYaml, environment),
                new Findings());
    }

    private Reading read(YamlFile proxyFile, YamlFile bucketsFile, Findings findings) {
        Section proxyRoot = proxyFile.root(PROXY_FILE, findings);
        Section proxySection = proxyRoot.child(PROXY);
        ProxyConfig proxy = ProxyConfig.read(proxySection, hostName, environment);
        FleetConfig fleet = FleetConfig.read(proxyRoot);
        FallbackConfig fallback = FallbackConfig.read(proxyRoot.child(FALLBACK));
        if (fleet.leases() == LeasesIn.LOCAL && proxyRoot.has(FALLBACK)) {
            proxyRoot.warn(
                    FALLBACK.name(),
                    "It has no effect without redis.addr: there is no Redis to fall back from.",
                    "Add 'redis:' with 'addr:', or remove the section.");
        }

        Section bucketsRoot = bucketsFile.root(BUCKETS_FILE, findings);
        List<Section> sections = bucketsRoot.children(BUCKETS, bucketsRoot.child(DEFAULTS));
        List<BucketConfig> buckets = readBuckets(sections, proxy);
        if (sections.isEmpty() && !findings.hasErrors()) {
            bucketsRoot.error(
                    BUCKETS.name(), "There are no buckets.", "List at least one with id, host and max_connections.");
        }
        RoutingReader routing = new RoutingReader(proxy, sections, findings);
        routing.readBuckets();
        routing.readFile(bucketsRoot.child(DATABASES));
        routing.readRoutes(proxySection);
        Router router = routing.finish();
        if (fleet.leases() != LeasesIn.LOCAL && !findings.hasErrors()) {
            FleetChecks.check(sections, buckets, fallback, fleet.leases().title());
        }
        Optional<Configuration> configuration = findings.hasErrors()
                ? Optional.empty()
                : Optional.of(new Configuration(proxy, fleet, fallback, buckets, router));
        return new Reading(
                configuration,
                findings.problems(),
                findings.effective(),
                overlay ->
                        read(proxyFile.edited(overlay.proxy()), bucketsFile.edited(overlay.buckets()), new Findings()));
    }

    private static List<BucketConfig> readBuckets(List<Section> sections, ProxyConfig proxy) {
        List<BucketConfig> buckets = new ArrayList<>();
        Map<String, Location> ids = new HashMap<>();
        List<Section> literalPasswords = new ArrayList<>();
        for (Section section : sections) {
            BucketConfig bucket = BucketConfig.read(section, proxy);
            buckets.add(bucket);
            String id = section.find(BucketConfig.ID);
            Location first = id == null ? null : ids.putIfAbsent(id, section.locate(BucketConfig.ID.name()));
            if (first != null) {
                section.error(
                        BucketConfig.ID.name(),
                        "There is another bucket with this id, in line " + first.line() + ".",
                        "Give each bucket an id of its own.");
            }
            if (section.has(AuthConfig.PASSWORD) && section.isLiteral(AuthConfig.PASSWORD)) {
                literalPasswords.add(section);
            }
        }
        if (!literalPasswords.isEmpty()) {
            literalPasswords
                    .getFirst()
                    .warn(
                            AuthConfig.PASSWORD.name(),
                            "Passwords of " + literalPasswords.size() + " buckets are written out in the file.",
                            "Write ${NAME} or ${file:/path} instead, so that nobody who can read the file learns them.");
        }
        return List.copyOf(buckets);
    }
}
