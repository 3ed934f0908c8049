package dev.comporta.e2e.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the product does as a service of systemd. */
class ServiceTest {
    /** Stands for systemd: prints each message that it gets, its lines joined by blanks. */
    private static final String RECEIVER = """
            import socket, sys
            at = sys.argv[1]
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind("\\0" + at[1:] if at.startswith("@") else at)
            print("bound", flush=True)
            while True:
                print(s.recv(4096).decode().replace("\\n", " "), flush=True)
            """;

    @ParameterizedTest
    @ValueSource(strings = {"%s/notify", "@comporta%s"})
    void tellsSystemdThatItIsReadyReloadsLivesAndStops(String socket, @TempDir Path directory) throws Exception {
        String address = socket.formatted(directory);
        Process receiver = new ProcessBuilder("/usr/bin/python3", "-c", RECEIVER, address)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader heard = receiver.inputReader();
                Standin server = Standin.builder()
                        .database("AppDB")
                        .login("sa", "Secret-1")
                        .start()) {
            assertThat(heard.readLine()).isEqualTo("bound");
            try (DistProcess proxy =
                    DistProcess.start(directory, server, Map.of("NOTIFY_SOCKET", address, "WATCHDOG_USEC", "400000"))) {
                assertThat(next(heard, message -> !message.equals("WATCHDOG=1")))
                        .isEqualTo("READY=1 STATUS=listening, 1 bucket");
                RawClient.loggedIn(proxy.port).close();
                assertThat(next(heard, message -> true)).isEqualTo("WATCHDOG=1");
                proxy.signal("HUP");
                assertThat(next(heard, message -> !message.equals("WATCHDOG=1")))
                        .matches("RELOADING=1 MONOTONIC_USEC=[0-9]+ STATUS=reloading");
                assertThat(next(heard, message -> !message.equals("WATCHDOG=1")))
                        .isEqualTo("READY=1 STATUS=listening, 1 bucket");
                proxy.signal("TERM");
                assertThat(next(heard, message -> !message.equals("WATCHDOG=1")))
                        .isEqualTo("STOPPING=1 EXTEND_TIMEOUT_USEC=25000000 STATUS=draining");
                assertThat(proxy.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(proxy.process.exitValue()).isZero();
            }
        } finally {
            receiver.destroyForcibly();
        }
    }

    private static String next(BufferedReader heard, Predicate<String> wanted) throws IOException {
        String message = heard.readLine();
        while (message != null && !wanted.test(message)) {
            message = heard.readLine();
        }
        return message == null ? "the receiver ended" : message;
    }

    @Test
    void theUnitIsOneThatSystemdUnderstandsAndFindsWellProtected(@TempDir Path directory) throws Exception {
        UnpackedDist dist = UnpackedDist.get();
        // Paths of an installation that this machine does not have.
        Path bin = Files.createSymbolicLink(directory.resolve("comporta"), dist.home());
        Path unit = Files.writeString(
                directory.resolve("comporta.service"),
                Files.readString(dist.home().resolve("systemd/comporta.service"))
                        .replace("/opt/comporta", bin.toString())
                        .replace("User=comporta", "User=daemon")
                        .replace("Group=comporta", "Group=daemon"));
        assertThat(UnpackedDist.run(new ProcessBuilder("systemd-analyze", "verify", "--man=no", unit.toString())))
                .isEmpty();
        // Of ten, where none is no protection at all; it exits with an error above this.
        UnpackedDist.run(new ProcessBuilder(
                "systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit.toString()));
    }
}
