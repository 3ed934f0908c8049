package dev.comporta.e2e.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.config.yaml.Problem;
import dev.comporta.testkit.KeyFiles;
import dev.comporta.tls.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What README and docs show as YAML is read by the reader of configurations, without an error. */
class SamplesTest {
    private static final String A_BUCKET = """
            buckets:
              - id: orders
                host: sql-1.internal
                max_connections: 50
            """;

    @TempDir
    private Path directory;

    @Test
    void everyYamlSampleIsAConfiguration() throws Exception {
        filesThatSamplesName();
        List<String> wrong = new ArrayList<>();
        int read = 0;
        for (Page page : Page.all()) {
            for (Page.Block block : page.blocks()) {
                if (block.language().equals("yaml") && !(block.marker() instanceof Marker.NotRun)) {
                    problems(block).forEach(problem -> wrong.add(block + ": " + problem));
                    read++;
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(read).isGreaterThan(10);
    }

    /** With what a sample leaves out, because it is about something else. */
    private List<String> problems(Page.Block block) {
        String text = block.text().replace("/run/secrets/", directory + "/").replace("/etc/comporta/", directory + "/");
        String proxy = "";
        String buckets = A_BUCKET;
        if (block.marker() instanceof Marker.InBucket) {
            buckets = A_BUCKET + text.indent(4);
        } else if (text.contains("buckets:\n")) {
            buckets = text;
        } else if (text.startsWith("databases:") || text.startsWith("defaults:")) {
            buckets = text + A_BUCKET;
        } else {
            proxy = text;
        }
        return new ConfigurationReader(_ -> "of-the-environment-0123456789", "machine")
                .read(proxy, buckets, directory).problems().stream()
                        .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                        .map(Problem::toString)
                        .toList();
    }

    private void filesThatSamplesName() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.generate("localhost", List.of("localhost"));
        KeyFiles.write(directory, "tls", certificate);
        Files.writeString(directory.resolve("rds-ca.pem"), certificate.pem());
        for (String name : List.of("comporta-admin", "admin.token", "redis", "app")) {
            Files.writeString(directory.resolve(name), "of-a-file-0123456789abcdef\n");
        }
        Files.writeString(directory.resolve("tenants.csv"), "Sales,orders\n");
    }
}
