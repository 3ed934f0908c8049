package dev.comporta.e2e.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the .tar.gz, and that it runs on a machine that has nothing else. */
class DistTest {
    private static final String PASSWORD = "Secret-1";
    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&#]+)");

    private final UnpackedDist dist = UnpackedDist.get();

    /** The JVM would not start with an AOT cache that does not fit: {@code AOTMode=on} makes that an error. */
    @Test
    void servesAClientWithoutAJdkAndWithItsAotCacheInAnotherDirectory(@TempDir Path directory) throws Exception {
        try (Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", PASSWORD)
                        .start();
                DistProcess proxy = DistProcess.start(directory, server, Map.of("COMPORTA_OPTS", "-XX:AOTMode=on"));
                Connection client = Jdbc.mssql(proxy.port, "user=sa;password=" + PASSWORD);
                Connection encrypted = Jdbc.mssql(proxy.port, "encrypt=true;user=sa;password=" + PASSWORD)) {
            assertThat(Jdbc.ask(client, "SELECT @@SERVERNAME")).isEqualTo("STANDIN");
            assertThat(Jdbc.ask(encrypted, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aCacheThatDoesNotFitIsDoneWithoutAndNotMentioned() throws Exception {
        ProcessBuilder insisting = dist.command("--version");
        insisting.environment().put("COMPORTA_OPTS", "-XX:AOTMode=on -XX:-UseCompactObjectHeaders");
        assertThatThrownBy(() -> UnpackedDist.run(insisting)).isInstanceOf(IOException.class);
        ProcessBuilder command = dist.command("--version");
        command.environment().put("COMPORTA_OPTS", "-XX:-UseCompactObjectHeaders");
        assertThat(UnpackedDist.run(command)).isEqualTo("comporta " + version() + "\n");
    }

    @Test
    void tellsItsVersionAndTakesOptionsOfTheJvmFromTheEnvironment() throws Exception {
        assertThat(UnpackedDist.run(dist.command("--version"))).isEqualTo("comporta " + version() + "\n");
        ProcessBuilder command = dist.command("--version");
        command.environment().put("JAVA_OPTS", "-Xmx64m -XX:+PrintFlagsFinal");
        command.environment().put("COMPORTA_OPTS", "-Xmx96m");
        assertThat(UnpackedDist.run(command)).containsPattern("MaxHeapSize +=  *" + (96 << 20) + " ");
    }

    @Test
    void checksTheSampleConfigurationThatComesWithIt() throws Exception {
        String etc = dist.home().resolve("etc").toString();
        assertThat(UnpackedDist.run(
                        dist.command("check", "--config", etc + "/proxy.yaml", "--buckets", etc + "/buckets.yaml")))
                .contains("OK: 3 buckets");
    }

    @Test
    void whatIsForDevelopersIsNoCommand() throws Exception {
        for (String command : List.of("demo", "bench", "test", "dist")) {
            Process process = dist.command(command).redirectErrorStream(true).start();
            assertThat(process.inputReader().readLine()).isEqualTo("comporta: there is no command '" + command + "'.");
            process.getInputStream().readAllBytes();
            assertThat(process.waitFor()).isEqualTo(2);
        }
    }

    @Test
    void shipsNeitherTheStandInNorH2NorDriversNorTestLibraries() throws Exception {
        String product = "comporta-app-" + version() + ".jar";
        assertThat(jars())
                .noneMatch(jar -> jar.matches(
                        ".*(standin|demo|bench|testkit|dist|h2-|mssql|jtds|postgresql|mariadb|mysql|junit|jqwik|assertj|awaitility"
                                + "|archunit|embedded-redis|windows|osx).*"))
                .contains(product);
        assertThat(jars())
                .isEqualTo(new TreeSet<>(Files.readAllLines(dist.home().resolve("lib/class-path"))));
    }

    @Test
    void theSbomHasEveryJarAndTheRuntimeAndNothingThatDiffersFromBuildToBuild() throws Exception {
        JsonNode sbom =
                new ObjectMapper().readTree(dist.home().resolve("sbom.cdx.json").toFile());
        assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(sbom.has("serialNumber")).isFalse();
        assertThat(sbom.path("metadata").has("timestamp")).isFalse();
        // The product itself is what the document is about; the runtime comes last.
        List<String> told = new ArrayList<>();
        sbom.path("components").forEach(part -> told.add(jar(part)));
        assertThat(told.removeLast()).startsWith("OpenJDK-");
        told.add(jar(sbom.path("metadata").path("component")));
        assertThat(told).containsExactlyInAnyOrderElementsOf(jars());
        String parts = Files.readString(dist.home().resolve("THIRD-PARTY.md"));
        assertThat(parts).contains("| io.netty:netty-common |", "| Apache-2.0 |", "| OpenJDK |");
        assertThat(dist.home().resolve("runtime/legal/java.base/LICENSE")).exists();
    }

    @Test
    void twoBuildsHaveTheSameBytes(@TempDir Path elsewhere) throws Exception {
        UnpackedDist.packAgain(elsewhere);
        assertThat(Files.mismatch(
                        dist.tarball(), elsewhere.resolve(dist.tarball().getFileName())))
                .isEqualTo(-1);
        assertThat(Files.mismatch(dist.deb(), elsewhere.resolve(dist.deb().getFileName())))
                .isEqualTo(-1);
    }

    private static String jar(JsonNode part) {
        Matcher classifier = CLASSIFIER.matcher(part.path("purl").asText());
        return part.path("name").asText() + "-" + part.path("version").asText()
                + (classifier.find() ? "-" + classifier.group(1) : "") + ".jar";
    }

    private String version() throws IOException {
        return Files.readString(dist.home().resolve("VERSION")).strip();
    }

    private Set<String> jars() throws IOException {
        try (Stream<Path> files = Files.list(dist.home().resolve("lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
