package dev.comporta.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.comporta.e2e.deploy.Programs;
import dev.comporta.e2e.dist.UnpackedDist;
import dev.comporta.monitoring.alert.Alert;
import dev.comporta.monitoring.alert.Alerts;
import dev.comporta.monitoring.board.Board;
import dev.comporta.monitoring.board.BoardFile;
import dev.comporta.monitoring.query.Query;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The topology of deploy/compose.yaml from end to end, with one set of processes for all tests: their order is that of a bad day.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TopologyTest {
    private static final Duration SOON = Duration.ofSeconds(120);

    /** More than the limit: they wait for each other. */
    private static final int CLIENTS_OF_EACH = Topology.LIMIT + 2;

    private static final String VICTIM = "proxy-2";

    /** In the runbook: what is sent to the console, without the commands that change something. */
    private static final Pattern ASKED = Pattern.compile("comporta admin [^`\"]*\"((?:SELECT|SHOW) [^\"]+)\"");

    @TempDir
    private static Path directory;

    private static Topology topology;
    private static SteadyClients clients;

    @BeforeAll
    static void start() throws Exception {
        topology = new Topology(directory);
        clients = new SteadyClients(topology, CLIENTS_OF_EACH);
        clients.awaitProgressOfAll();
        await("Prometheus scrapes all")
                .atMost(SOON)
                .until(() ->
                        topology.prometheus.query("up{job=\"comporta\"} == 1").size() == 3);
    }

    @AfterAll
    static void stop() {
        if (clients != null) {
            clients.close();
        }
        if (topology != null) {
            topology.close();
        }
    }

    private static String get(String address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    @Order(1)
    void everyMetricLabelAndValueThatIsAskedForIsInAScrape() throws Exception {
        Map<String, List<String>> series = get("http://" + topology.target("proxy-1") + "/metrics")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .collect(
                        Collectors.groupingBy(line -> line.split("[{ ]", 2)[0].replaceAll("_(bucket|count|sum)$", "")));
        Set<String> missing = new TreeSet<>();
        Stream.concat(
                        Alerts.all().map(alert -> alert.query()),
                        Board.all().stream().flatMap(Board::queries))
                .flatMap(query -> query.uses().stream())
                .forEach(use -> missing.addAll(missingOf(use, series)));
        assertThat(missing)
                .as("asked for, and not in a scrape of an instance at work")
                .isEmpty();
    }

    private static List<String> missingOf(Query.Use use, Map<String, List<String>> scraped) {
        String id = use.metric().id();
        List<String> series = scraped.getOrDefault(id, List.of());
        List<String> missing = new ArrayList<>();
        if (series.isEmpty()) {
            missing.add(id);
        }
        for (String label : use.metric().labels()) {
            if (series.stream().noneMatch(line -> line.contains(label + "=\""))) {
                missing.add(id + ": " + label);
            }
        }
        use.matched().forEach((label, values) -> {
            for (String value : values) {
                if (!label.equals("job")
                        && series.stream().noneMatch(line -> line.contains(label + "=\"" + value + "\""))) {
                    missing.add(id + ": " + label + "=" + value);
                }
            }
        });
        return missing;
    }

    @Test
    @Order(2)
    void everyPanelShowsSomething() {
        List<String> queries = Board.all().stream()
                .flatMap(Board::queries)
                .map(query -> query.text().replace(BoardFile.STEP, "10s").replaceAll("\\$\\w+", ".+"))
                .distinct()
                .toList();
        await("every query of a panel has a result")
                .atMost(SOON)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    List<String> empty = new ArrayList<>();
                    for (String query : queries) {
                        if (topology.prometheus.query(query).isEmpty()) {
                            empty.add(query);
                        }
                    }
                    assertThat(empty).isEmpty();
                });
    }

    @Test
    @Order(3)
    void whatTheRunbookAsksOfTheConsoleIsAnswered() throws Exception {
        List<String> asked = ASKED.matcher(Files.readString(Path.of("..", "docs", "runbook.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .distinct()
                .toList();
        assertThat(asked).hasSizeGreaterThan(5);
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (String sql : asked) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + topology.ports("proxy-1").health() + "/api/v1/sql"))
                        .header("Authorization", "Bearer " + topology.token())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                new ObjectMapper().writeValueAsString(Map.of("sql", sql))))
                        .build();
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as("%s: %s", sql, answer.body()).isEqualTo(200);
            }
        }
    }

    @Test
    @Order(4)
    void nothingIsWrongAtFirst() {
        // Not of all alerts: some tell that a machine is slow, as this one may be.
        Set<String> faults = Set.of(
                "ComportaInstanceDown",
                "ComportaHeartbeatLost",
                "ComportaNoInstanceReady",
                "ComportaInstanceNotReady",
                "ComportaReloadFailed",
                "ComportaVersionsMixed",
                "ComportaFallbackActive",
                "ComportaLimitDisputed",
                "ComportaLimitExceeded",
                "ComportaBucketDown",
                "ComportaServerTlsFails",
                "ComportaInternalErrors",
                "ComportaClientsNotRouted",
                "ComportaPasswordsGuessed",
                "ComportaConnectionsRefused",
                "ComportaProxyHeadersRefused");
        assertThat(Alerts.all().map(Alert::name)).as("alerts that there are").containsAll(faults);
        await("every rule has been evaluated")
                .atMost(SOON)
                .until(() -> topology.prometheus.rulesInOrder() == Alerts.all().count());
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(topology.prometheus.alerts().stream()
                                .map(alert -> alert.at("/labels/alertname").asText()))
                        .doesNotContainAnyElementsOf(faults));
    }

    @Test
    @Order(5) // it speaks HTTP where a PROXY header is expected, of which an alert tells
    void containersHealthCheckTellsAReadyInstanceFromNone() throws Exception {
        String check = Programs.DEPLOY.resolve("container/check-health").toString();
        Programs.run(check, Integer.toString(topology.ports("proxy-1").health()));
        int nobody = topology.ports("proxy-1").clients();
        Process failing = new ProcessBuilder(check, Integer.toString(nobody)).start();
        assertThat(failing.waitFor()).isNotZero();
    }

    @Test
    @Order(6)
    void deadInstanceIsToldOfAndClientsGoOnThroughTheOthersWithinTheLimit() throws Exception {
        topology.instance(VICTIM).kill();
        clients.awaitProgressOfAll();
        await("the alerts fire")
                .atMost(SOON)
                .until(() -> topology.prometheus.isFiring("ComportaInstanceDown", "instance", topology.target(VICTIM))
                        && topology.prometheus.isFiring("ComportaHeartbeatLost", "exported_instance", VICTIM));
        JsonNode down = topology.prometheus.firing().stream()
                .filter(alert -> alert.at("/labels/alertname").asText().equals("ComportaInstanceDown"))
                .findFirst()
                .orElseThrow();
        assertThat(down.at("/labels/severity").asText()).isEqualTo("critical");
        assertThat(down.at("/annotations/summary").asText())
                .isEqualTo("Instance " + topology.target(VICTIM) + " can't be scraped");
        assertThat(down.at("/annotations/runbook_url").asText()).isEqualTo("docs/runbook.md#comportainstancedown");
        limitHolds();
    }

    @Test
    @Order(7)
    void alertsEndWhenItIsStartedAgainAndItGetsClients() throws Exception {
        topology.launch(VICTIM);
        topology.awaitReady(VICTIM);
        await("the alerts end")
                .atMost(SOON)
                .until(() -> !topology.prometheus.isFiring("ComportaInstanceDown", "instance", topology.target(VICTIM))
                        && !topology.prometheus.isFiring("ComportaHeartbeatLost", "exported_instance", VICTIM));
        // The one with fewest connections gets the next, as soon as HAProxy has found it ready.
        await("it has let clients in").atMost(SOON).until(() -> {
            try (Connection _ = DriverManager.getConnection(topology.url(1))) {
                return get("http://" + topology.target(VICTIM) + "/metrics")
                        .lines()
                        .anyMatch(line -> line.startsWith("proxy_logins_total{") && !line.endsWith(" 0.0"));
            }
        });
        clients.awaitProgressOfAll();
        limitHolds();
    }

    /** The preStop hook of the chart. */
    @Test
    @Order(8)
    void hookBeginsADrainAndTheInstanceEndsInOrder() throws Exception {
        Programs.run(
                "env",
                "COMPORTA_HOME=" + UnpackedDist.get().home(),
                Programs.DEPLOY.resolve("container/begin-drain").toString(),
                directory.resolve("admin_token").toString(),
                "localhost:" + topology.ports("proxy-3").health());
        assertThat(topology.instance("proxy-3").awaitEnd()).isZero();
        clients.awaitProgressOfAll();
        limitHolds();
    }

    private static void limitHolds() {
        for (int bucket = 1; bucket <= 3; bucket++) {
            assertThat(topology.mostSessions(bucket))
                    .as("most sessions of bucket-%d, as its database counts", bucket)
                    .isBetween(1, Topology.LIMIT);
        }
    }
}
