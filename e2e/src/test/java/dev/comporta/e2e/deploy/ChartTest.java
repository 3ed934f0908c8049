package dev.comporta.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The chart, rendered by Helm itself. */
@Timeout(120)
class ChartTest {
    private static final Path CHART = Programs.DEPLOY.resolve("helm/comporta");

    /** What somebody has to say at least. */
    private static final String LEAST = """
            image: {repository: registry.example/comporta}
            redis: {addr: "redis:6379"}
            buckets:
              defaults: {username: app, password: "${file:/run/secrets/comporta/db_password}", max_connections: 50}
              buckets: [{id: orders, host: sql-1, database: Orders}]
            """;

    @TempDir
    private Path directory;

    private TemplateCommand template(String values) throws IOException {
        return new Helm(CHART)
                .template()
                .withName("comporta")
                .withKubeVersion("1.31.0")
                .withValuesFile(Files.writeString(directory.resolve("values.yaml"), values));
    }

    /** By kind and name. */
    private Map<String, Map<String, Object>> render(String values) throws IOException {
        return Yaml.readAll(template(values).call()).stream()
                .collect(Collectors.toMap(
                        one -> Yaml.at(one, "kind") + "/" + Yaml.at(one, "metadata", "name"), one -> one));
    }

    private static Map<String, Object> container(Map<String, Map<String, Object>> rendered) {
        return Yaml.at(rendered.get("Deployment/comporta"), "spec", "template", "spec", "containers", "0");
    }

    @Test
    void ofLittleMakesAFleetThatIsProbedDrainedSpreadAndProtected() throws IOException {
        Map<String, Map<String, Object>> rendered = render(LEAST);
        assertThat(rendered)
                .containsOnlyKeys(
                        "ConfigMap/comporta",
                        "ServiceAccount/comporta",
                        "Service/comporta",
                        "Deployment/comporta",
                        "PodDisruptionBudget/comporta");
        Map<String, Object> deployment = rendered.get("Deployment/comporta");
        Map<String, Object> pod = Yaml.at(deployment, "spec", "template", "spec");
        Map<String, Object> container = container(rendered);
        assertThat(Yaml.<Integer>at(deployment, "spec", "replicas")).isEqualTo(3);
        assertThat(Yaml.<Integer>at(deployment, "spec", "strategy", "rollingUpdate", "maxUnavailable"))
                .isZero();
        assertThat(Yaml.<String>at(container, "readinessProbe", "httpGet", "path"))
                .isEqualTo("/health/ready");
        assertThat(Yaml.<String>at(container, "livenessProbe", "httpGet", "path"))
                .isEqualTo("/health/live");
        assertThat(Yaml.<String>at(container, "startupProbe", "httpGet", "path"))
                .isEqualTo("/health/live");
        assertThat(Yaml.<List<String>>at(container, "lifecycle", "preStop", "exec", "command"))
                .first()
                .isEqualTo("begin-drain");
        assertThat(Yaml.<Integer>at(pod, "terminationGracePeriodSeconds")).isEqualTo(60);
        assertThat(Yaml.<Boolean>at(pod, "securityContext", "runAsNonRoot")).isTrue();
        assertThat(Yaml.<Boolean>at(container, "securityContext", "readOnlyRootFilesystem"))
                .isTrue();
        assertThat(Yaml.<Boolean>at(container, "securityContext", "allowPrivilegeEscalation"))
                .isFalse();
        assertThat(Yaml.<List<?>>at(
                        pod, "affinity", "podAntiAffinity", "preferredDuringSchedulingIgnoredDuringExecution"))
                .hasSize(1);
        assertThat(Yaml.<List<?>>at(pod, "topologySpreadConstraints")).hasSize(1);
        assertThat(Yaml.<Integer>at(rendered.get("PodDisruptionBudget/comporta"), "spec", "maxUnavailable"))
                .isEqualTo(1);
    }

    @Test
    void isOfTheVersionThatIsBuiltHere() throws IOException {
        String version =
                Files.readString(Path.of("..", "pom.xml")).replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");
        assertThat(Yaml.read(CHART.resolve("Chart.yaml")))
                .containsEntry("version", version)
                .containsEntry("appVersion", version);
    }

    @Test
    void whatSelectsPodsFindsThem() throws IOException {
        Map<String, Map<String, Object>> rendered = render(LEAST + """
                networkPolicy: {enabled: true}
                podMonitor: {enabled: true}
                antiAffinity: required
                """);
        Map<String, Object> deployment = rendered.get("Deployment/comporta");
        Map<String, Object> pod = Yaml.at(deployment, "spec", "template", "spec");
        Map<String, Object> labels = Yaml.at(deployment, "spec", "template", "metadata", "labels");
        assertThat(labels)
                .containsAllEntriesOf(Yaml.at(deployment, "spec", "selector", "matchLabels"))
                .containsAllEntriesOf(Yaml.at(rendered.get("Service/comporta"), "spec", "selector"))
                .containsAllEntriesOf(
                        Yaml.at(rendered.get("PodDisruptionBudget/comporta"), "spec", "selector", "matchLabels"))
                .containsAllEntriesOf(
                        Yaml.at(rendered.get("NetworkPolicy/comporta"), "spec", "podSelector", "matchLabels"))
                .containsAllEntriesOf(Yaml.at(rendered.get("PodMonitor/comporta"), "spec", "selector", "matchLabels"))
                .containsAllEntriesOf(Yaml.at(
                        pod,
                        "affinity",
                        "podAntiAffinity",
                        "requiredDuringSchedulingIgnoredDuringExecution",
                        "0",
                        "labelSelector",
                        "matchLabels"))
                .containsAllEntriesOf(Yaml.at(pod, "topologySpreadConstraints", "0", "labelSelector", "matchLabels"));
    }

    @Test
    void configurationIsOneThatComportaAccepts() throws Exception {
        Files.writeString(directory.resolve("db_password"), "secret");
        Map<String, Object> files = Yaml.at(render(LEAST).get("ConfigMap/comporta"), "data");
        Configuration read = ConfigurationReader.ofThisProcess()
                .read(
                        Yaml.at(files, "proxy.yaml"),
                        Yaml.<String>at(files, "buckets.yaml").replace("/run/secrets/comporta", directory.toString()),
                        Path.of(""))
                .orThrow();
        assertThat(read.buckets()).hasSize(1);
        assertThat(Yaml.<String>at(files, "proxy.yaml")).contains("local_limit_divisor: 3");
    }

    @Test
    void everythingThatCanBeSwitchedOnIsThere() throws IOException {
        assertThat(Yaml.read(CHART.resolve("values.yaml")).entrySet())
                .filteredOn(part ->
                        part.getValue() instanceof Map<?, ?> settings && Boolean.FALSE.equals(settings.get("enabled")))
                .extracting(Map.Entry::getKey)
                .as("what is off by default")
                .containsExactlyInAnyOrder(
                        "autoscaling", "networkPolicy", "podMonitor", "prometheusRule", "dashboards");
        Map<String, Map<String, Object>> rendered = render(LEAST + """
                autoscaling: {enabled: true, maxReplicas: 7}
                networkPolicy: {enabled: true}
                podMonitor: {enabled: true}
                prometheusRule: {enabled: true}
                dashboards: {enabled: true}
                secret: {values: {db_password: geheim, admin_token: token}}
                tls: {existingSecret: comporta-tls}
                antiAffinity: required
                """);
        assertThat(rendered)
                .containsKeys(
                        "NetworkPolicy/comporta",
                        "PodMonitor/comporta",
                        "Secret/comporta",
                        "ConfigMap/comporta-fleet",
                        "ConfigMap/comporta-bucket",
                        "ConfigMap/comporta-instance");
        Map<String, Object> scaler = Yaml.at(rendered.get("HorizontalPodAutoscaler/comporta"), "spec");
        assertThat(Yaml.<String>at(scaler, "metrics", "0", "pods", "metric", "name"))
                .isEqualTo("proxy_queue_length");
        assertThat(Yaml.<Integer>at(scaler, "maxReplicas")).isEqualTo(7);
        assertThat(Yaml.<Map<String, Object>>at(rendered.get("Deployment/comporta"), "spec"))
                .doesNotContainKey("replicas");
        assertThat(Yaml.<String>at(rendered.get("ConfigMap/comporta"), "data", "proxy.yaml"))
                .contains("local_limit_divisor: 7");
        assertThat(Yaml.<List<?>>at(rendered.get("PrometheusRule/comporta"), "spec", "groups"))
                .isEqualTo(Yaml.at(Yaml.read(Programs.DEPLOY.resolve("prometheus/alerts.yml")), "groups"));
        assertThat(Yaml.<List<?>>at(
                        rendered.get("Deployment/comporta"),
                        "spec",
                        "template",
                        "spec",
                        "affinity",
                        "podAntiAffinity",
                        "requiredDuringSchedulingIgnoredDuringExecution"))
                .hasSize(1);
        List<Map<String, Object>> mounts = Yaml.at(container(rendered), "volumeMounts");
        assertThat(mounts.stream().map(mount -> mount.get("mountPath")))
                .containsExactly("/etc/comporta", "/tmp", "/run/secrets/comporta", "/run/secrets/comporta-tls");
    }

    @Test
    void whatCanNotWorkIsRefusedWithWhatToDo() throws IOException {
        refuses(
                LEAST + "terminationGracePeriodSeconds: 50",
                "terminationGracePeriodSeconds is 50; it has to be more than");
        refuses(LEAST.replace("redis:6379", ""), "redis.addr is needed with more than one replica");
        refuses(LEAST.replace("registry.example/comporta", ""), "image.repository is needed");
        refuses(LEAST + "fallback: {local_limit_divisor: 2}", "local_limit_divisor is 2, and there can be 3 replicas");
        refuses(LEAST + "replicas: 3", "additional properties 'replicas' not allowed");
        refuses(LEAST + "proxy: {drain_delay: soon}", "/proxy/drain_delay");
    }

    private void refuses(String values, String why) throws IOException {
        TemplateCommand command = template(values);
        assertThatThrownBy(command::call).hasMessageContaining(why);
    }
}
