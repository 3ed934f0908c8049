package dev.comporta.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** compose.yaml and the Containerfile: what can be known of them without a container engine. */
@Timeout(60)
class ComposeTest {
    private static final Path COMPOSE = Programs.DEPLOY.resolve("compose.yaml");
    private static final Pattern PINNED = Pattern.compile("[\\w./-]+:(?!latest)[\\w.-]*\\d[\\w.-]*|comporta:local");

    private Map<String, Object> compose;
    private Map<String, Object> services;

    @BeforeEach
    void read() throws IOException {
        compose = Yaml.read(COMPOSE);
        services = Yaml.at(compose, "services");
    }

    @Test
    void hasTheElevenContainersWithTheirPorts() {
        Map<String, String> published = new TreeMap<>();
        services.forEach((name, service) -> {
            assertThat(Yaml.<String>at(service, "container_name")).isEqualTo(name);
            Object ports = ((Map<?, ?>) service).get("ports");
            published.put(name, ports == null ? "" : Yaml.at(ports, "0"));
        });
        assertThat(published)
                .containsOnly(
                        Map.entry("sqlserver-1", "127.0.0.1:14331:1433"),
                        Map.entry("sqlserver-2", "127.0.0.1:14332:1433"),
                        Map.entry("sqlserver-3", "127.0.0.1:14333:1433"),
                        Map.entry("init-db", ""),
                        Map.entry("redis", "127.0.0.1:6379:6379"),
                        Map.entry("proxy-1", ""),
                        Map.entry("proxy-2", ""),
                        Map.entry("proxy-3", ""),
                        Map.entry("haproxy", "1433:1433"),
                        Map.entry("prometheus", "127.0.0.1:9091:9090"),
                        Map.entry("grafana", "127.0.0.1:3001:3000"));
    }

    @Test
    void imagesArePinnedAndAllAreInOneNetwork() {
        services.forEach((name, service) -> {
            assertThat(Yaml.<String>at(service, "image")).as(name).matches(PINNED);
            Object networks = Yaml.at(service, "networks");
            assertThat(networks.toString()).as(name).contains("proxy-network");
        });
    }

    @Test
    void everyFileThatIsMountedExists() {
        List<String> mounted = new ArrayList<>();
        for (Object service : services.values()) {
            if (((Map<?, ?>) service).get("volumes") instanceof List<?> volumes) {
                volumes.forEach(volume -> mounted.add(volume.toString()));
            }
        }
        assertThat(mounted)
                .filteredOn(volume -> volume.startsWith("./"))
                .hasSizeGreaterThan(8)
                .allSatisfy(volume -> {
                    assertThat(Programs.DEPLOY.resolve(volume.split(":")[0])).exists();
                    assertThat(volume).endsWith(":ro");
                });
        Set<String> named = Yaml.<Map<String, Object>>at(compose, "volumes").keySet();
        assertThat(mounted)
                .filteredOn(volume -> !volume.startsWith("./"))
                .allMatch(volume -> named.contains(volume.split(":")[0]));
    }

    @Test
    void whoeverIsWaitedForSaysWhenItIsThere() throws IOException {
        Map<String, Set<String>> waitedForHealth = new TreeMap<>();
        services.forEach((name, service) -> {
            if (((Map<?, ?>) service).get("depends_on") instanceof Map<?, ?> waitedFor) {
                waitedFor.forEach((other, how) -> {
                    assertThat(services).as(name).containsKey(other.toString());
                    if (Yaml.at(how, "condition").equals("service_healthy")) {
                        waitedForHealth
                                .computeIfAbsent(other.toString(), _ -> new HashSet<>())
                                .add(name);
                    }
                });
            }
        });
        assertThat(waitedForHealth)
                .containsOnlyKeys(
                        "sqlserver-1",
                        "sqlserver-2",
                        "sqlserver-3",
                        "redis",
                        "proxy-1",
                        "proxy-2",
                        "proxy-3",
                        "prometheus");
        boolean imageChecks =
                Files.readString(Programs.DEPLOY.resolve("Containerfile")).contains("\nHEALTHCHECK ");
        waitedForHealth.forEach((other, by) -> {
            if (!(other.startsWith("proxy-") && imageChecks)) {
                assertThat(Yaml.<Map<String, Object>>at(services, other))
                        .as("%s, for which %s wait", other, by)
                        .containsKey("healthcheck");
            }
        });
    }

    @Test
    void instancesRunWithoutRightsOnAReadOnlyFileSystem() {
        for (String name : List.of("proxy-1", "proxy-2", "proxy-3")) {
            Map<String, Object> proxy = Yaml.at(services, name);
            assertThat(proxy).containsEntry("read_only", true).containsEntry("hostname", name);
            assertThat(proxy.get("cap_drop")).isEqualTo(List.of("ALL"));
            assertThat(proxy.get("tmpfs")).isEqualTo(List.of("/tmp"));
            assertThat(proxy.get("security_opt")).isEqualTo(List.of("no-new-privileges:true"));
        }
    }

    @Test
    void secretsAreMadeByTheScriptAndAreNowhereElse(@TempDir Path copy) throws Exception {
        Files.createDirectory(copy.resolve("compose"));
        Path script = copy.resolve("compose/make-secrets");
        Files.copy(Programs.DEPLOY.resolve("compose/make-secrets"), script);
        Programs.run("sh", script.toString());
        String first = Files.readString(copy.resolve("secrets/sa_password"));
        Programs.run("sh", script.toString());
        Map<String, Object> secrets = Yaml.at(compose, "secrets");
        for (Map.Entry<String, Object> secret : secrets.entrySet()) {
            assertThat(copy.resolve(Yaml.<String>at(secret.getValue(), "file"))).exists();
        }
        assertThat(copy.resolve("secrets/sa_password")).hasContent(first);
        assertThat(first).matches("Aa1-[0-9a-f]{32}");
        assertThat(secrets).isNotEmpty();
        assertThat(Files.readString(COMPOSE)).doesNotContainIgnoringCase("password: ");
        List<String> looked = new ArrayList<>();
        services.forEach((name, service) -> {
            if (((Map<?, ?>) service).get("environment") instanceof Map<?, ?> variables) {
                variables.forEach((variable, value) -> {
                    if (variable.toString().matches(".*(PASSWORD|TOKEN|SECRET).*")) {
                        looked.add(variable.toString());
                        assertThat(value.toString())
                                .as("%s of %s", variable, name)
                                .startsWith("/run/secrets/");
                    }
                });
            }
        });
        assertThat(looked).isNotEmpty();
    }

    @Test
    void instancesTrustHaproxyHaveTheThreeBucketsAndAreGivenTheTimeToDrain(@TempDir Path secrets) throws Exception {
        Files.writeString(secrets.resolve("sa_password"), "Aa1-any");
        Files.writeString(secrets.resolve("admin_token"), "any-token-of-enough-length-12345");
        Configuration read = ConfigurationReader.ofThisProcess()
                .read(
                        Files.readString(Programs.DEPLOY.resolve("compose/proxy.yaml"))
                                .replace("/run/secrets", secrets.toString()),
                        Files.readString(Programs.DEPLOY.resolve("compose/buckets.yaml"))
                                .replace("/run/secrets", secrets.toString()),
                        Path.of(""))
                .orThrow();
        Set<String> databases = new HashSet<>();
        read.buckets().forEach(bucket -> databases.add(bucket.id()));
        assertThat(databases).containsExactlyInAnyOrder("bucket-1", "bucket-2", "bucket-3");
        String proxy = Files.readString(Programs.DEPLOY.resolve("compose/proxy.yaml"));
        String address = Yaml.at(services, "haproxy", "networks", "proxy-network", "ipv4_address");
        assertThat(proxy).contains("trusted_proxies: [" + address + "]");
        Duration drain = seconds(proxy, "drain_delay").plus(seconds(proxy, "shutdown_timeout"));
        for (String name : List.of("proxy-1", "proxy-2", "proxy-3")) {
            String grace = Yaml.at(services, name, "stop_grace_period");
            assertThat(Duration.ofSeconds(Long.parseLong(grace.replace("s", ""))))
                    .as(name)
                    .isGreaterThan(drain.plusSeconds(10));
        }
        // HAProxy takes out an instance that drains within two checks of two seconds.
        assertThat(Files.readString(Programs.DEPLOY.resolve("haproxy.cfg"))).contains("inter 2s fall 2");
        assertThat(seconds(proxy, "drain_delay")).isGreaterThan(Duration.ofSeconds(4));
    }

    private static Duration seconds(String text, String key) {
        return text.lines()
                .filter(line -> line.trim().startsWith(key + ":"))
                .map(line -> Duration.ofSeconds(Long.parseLong(line.replaceAll(".*: (\\d+)s.*", "$1"))))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void imageHasNoRootNoShellFormAndChecksItsHealthWithWhatItBrings() throws IOException {
        String file = Files.readString(Programs.DEPLOY.resolve("Containerfile"));
        List<String> stages =
                file.lines().filter(line -> line.startsWith("FROM ")).toList();
        assertThat(stages).hasSize(2);
        String last = file.substring(file.lastIndexOf("\nFROM "));
        assertThat(last)
                .contains("\nUSER 10001:10001\n")
                .contains("\nSTOPSIGNAL SIGTERM\n")
                .contains("\nEXPOSE 1433 8080 9090\n")
                .contains("CMD [\"check-health\"]")
                .contains("\nENTRYPOINT [\"/opt/comporta/bin/comporta\"]\n")
                .doesNotContain("io_uring");
        assertThat(last.lines().filter(line -> line.matches("(ENTRYPOINT|CMD|HEALTHCHECK) .*")))
                .hasSize(3)
                .allMatch(line -> line.matches("(ENTRYPOINT|CMD|HEALTHCHECK .* CMD) \\[.*]"));
        assertThat(file.lines().filter(line -> line.startsWith("ARG ")))
                .isNotEmpty()
                .allMatch(line ->
                        PINNED.matcher(line.substring(line.indexOf('=') + 1)).matches()
                                || line.contains("bookworm-slim"));
        for (String script : List.of("check-health", "begin-drain")) {
            assertThat(Programs.DEPLOY.resolve("container").resolve(script)).isExecutable();
        }
    }
}
