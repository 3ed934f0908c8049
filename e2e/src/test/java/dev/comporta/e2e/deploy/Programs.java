package dev.comporta.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Programs that the tests of deploy/ run, where e2e/install-clients or the system put them. */
public final class Programs {
    public static final Path DEPLOY = Path.of("..", "deploy").toAbsolutePath().normalize();

    private static final List<Path> PLACES = Stream.concat(
                    Stream.of(Path.of("clients", "prometheus").toAbsolutePath()),
                    Stream.concat(
                            Stream.of(System.getenv("PATH").split(":")).map(Path::of), Stream.of(Path.of("/usr/sbin"))))
            .toList();

    private Programs() {}

    public static String find(String name) {
        return PLACES.stream()
                .map(place -> place.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is needed: run e2e/install-clients"))
                .toString();
    }

    /** Runs it to its end, which must be a success; what it said. */
    public static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("%s said:%n%s", String.join(" ", command), said)
                .isZero();
        return said;
    }
}
