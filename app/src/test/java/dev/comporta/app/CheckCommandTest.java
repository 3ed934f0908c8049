package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {
    private static final Path DEPLOY = Path.of("..", "deploy");

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine commandLine =
                Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    private int check(String proxy, String buckets, String... more) throws IOException {
        Path proxyFile = Files.writeString(directory.resolve("proxy.yaml"), proxy);
        Path bucketsFile = Files.writeString(directory.resolve("buckets.yaml"), buckets);
        List<String> arguments = new ArrayList<>(
                List.of("check", "--config", proxyFile.toString(), "--buckets", bucketsFile.toString()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    @Test
    void filesToStartFromAreFlawless() {
        int code = run(
                "check",
                "--strict",
                "--config",
                DEPLOY.resolve("proxy.yaml").toString(),
                "--buckets",
                DEPLOY.resolve("buckets.yaml").toString());
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString())
                .startsWith("OK: 3 buckets, 150 connections in all, 3 databases routed, slots in Redis at ");
    }

    @Test
    void goodFilesAreSummedUp() throws IOException {
        assertThat(check("", "buckets: [{id: a, host: h, database: d, max_connections: 1}]\n"))
                .isZero();
        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "OK: 1 bucket, 1 connection in all, 1 database routed, slots counted in this"
                                + " process alone\n");
    }

    @Test
    void badFilesFailWithEveryProblemOnStandardError() throws IOException {
        assertThat(check("proxy: {listen_prot: 1}\n", "buckets: [{id: a, host: h, database: d}]\n"))
                .isOne();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .hasSize(3)
                .anyMatch(line -> line.contains("proxy.yaml:1:9: error: proxy.listen_prot"))
                .anyMatch(line -> line.contains("buckets.yaml:1:11: error: buckets[a].max_connections"))
                .endsWith("FAILED: 2 errors, 0 warnings");
    }

    @Test
    void aHealthQueryThatChangesTheSessionFails() throws IOException {
        String health = "health: {type: query, query: \"SET LANGUAGE Portuguese\"}";
        assertThat(check("", "buckets: [{id: a, host: h, database: d, max_connections: 1, " + health + "}]\n"))
                .isOne();
        assertThat(err.toString().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("bucket a: health.query \"SET LANGUAGE Portuguese\" may change the session");
    }

    @Test
    void warningFailsOnlyWhenStrict() throws IOException {
        String proxy = "proxy: {tls: {mode: off}}\n";
        String buckets = "buckets: [{id: a, host: h, database: d, max_connections: 1}]\n";
        assertThat(check(proxy, buckets)).isZero();
        assertThat(err.toString()).contains(": warning: proxy.tls.mode: ");
        assertThat(out.toString()).contains("alone, 1 warning");
        assertThat(check(proxy, buckets, "--strict")).isOne();
        assertThat(err.toString()).contains("FAILED: 0 errors, 1 warning");
    }

    @Test
    void settingsInForceAreShownWithTheirOriginAndWithoutSecrets() throws IOException {
        String buckets =
                "defaults: {password: hunter2}\nbuckets: [{id: a, host: h, max_connections: 9, username: u}]\n";
        check("proxy:\n  idle_timeout: 90s\n  admin: {token: hunter2}\n", buckets, "--show");
        assertThat(out.toString().lines())
                .contains(
                        "proxy.idle_timeout: 1m30s  # " + directory.resolve("proxy.yaml") + ":2",
                        "proxy.listen_port: 1433  # default",
                        "proxy.admin.token: ********  # " + directory.resolve("proxy.yaml") + ":3",
                        "buckets[a].password: ********  # " + directory.resolve("buckets.yaml") + ":1",
                        "buckets[a].reservoir.target_ready: 2  # default");
        assertThat(out.toString() + err).doesNotContain("hunter2");
    }

    @Test
    void helpTellsWhatTheCommandDoesAndReturns() {
        assertThat(run("check", "--help")).isZero();
        assertThat(out.toString()).contains("--config", "--buckets", "--show", "--strict", "Exit code", "Examples:");
    }

    @Test
    void misspeltOptionIsNotAConfigurationError() {
        assertThat(run("check", "--confg", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("--confg");
    }
}
