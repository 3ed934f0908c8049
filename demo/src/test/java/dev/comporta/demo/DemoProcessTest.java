package dev.comporta.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** {@code demo} as a process of its own, as people start and stop it. */
@Timeout(120)
class DemoProcessTest {
    private static final String UNDER_LOAD = "60 clients on \\d+ server connections, [1-9].*";

    @Test
    void itShowsALineUnderLoadAndAStopIsNoFailure() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--port",
                        "0")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = process.inputReader()) {
            List<String> lines = new ArrayList<>();
            String line = "";
            // Into a pipe it says something every few seconds: after so many lines it is not going to.
            while (!line.matches(UNDER_LOAD) && lines.size() < 40) {
                line = said.readLine();
                assertThat(line).as("after %s", lines).isNotNull().doesNotContain("failed");
                lines.add(line);
            }
            assertThat(lines.getLast()).matches(UNDER_LOAD);
            process.toHandle().destroy(); // SIGTERM: Ctrl-C takes the same way
            assertThat(said.lines().toList().getLast()).isEqualTo("stopped");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void anUnknownMisbehaviourIsRefusedWithTheWordsThereAre() {
        StringWriter errors = new StringWriter();
        int exitCode = new CommandLine(new DemoCommand())
                .setErr(new PrintWriter(errors))
                .execute("--misbehave", "lazy");

        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString()).contains("'lazy' is no misbehaviour").contains("refuse-logins");
    }
}
