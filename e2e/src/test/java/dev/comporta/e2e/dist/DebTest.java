package dev.comporta.e2e.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package, and its life by dpkg in a root directory of its own. */
class DebTest {
    private final String deb = UnpackedDist.get().deb().toString();

    @Test
    void saysWhatItIsAndWhichFilesAreTheAdministrators() throws Exception {
        assertThat(UnpackedDist.run(new ProcessBuilder("dpkg-deb", "--field", deb)))
                .contains("Package: comporta\n", "Architecture: amd64\n", "Depends: adduser, libc6");
        assertThat(UnpackedDist.run(new ProcessBuilder("dpkg-deb", "--info", deb, "conffiles")))
                .isEqualTo("/etc/comporta/buckets.yaml\n/etc/comporta/proxy.yaml\n/etc/default/comporta\n");
        assertThat(UnpackedDist.run(new ProcessBuilder("dpkg-deb", "--contents", deb))
                        .lines())
                .allMatch(line -> line.contains(" root/root "))
                .anyMatch(line -> line.endsWith(" ./usr/lib/systemd/system/comporta.service"))
                .anyMatch(line -> line.endsWith(" ./usr/bin/comporta -> /opt/comporta/bin/comporta"))
                .anyMatch(line -> line.endsWith(" ./opt/comporta/lib/comporta.aot"));
    }

    @Test
    void isInstalledRunsAndKeepsAChangedConfigurationUntilItIsPurged(@TempDir Path root) throws Exception {
        Files.createDirectories(root.resolve("var/lib/dpkg/info"));
        Files.createDirectories(root.resolve("var/lib/dpkg/updates"));
        Files.createFile(root.resolve("var/lib/dpkg/status"));
        dpkg(root, "--install", deb);
        assertThat(UnpackedDist.run(new ProcessBuilder("dpkg", "--root=" + root, "--status", "comporta")))
                .contains("Status: install ok installed");
        assertThat(UnpackedDist.run(new ProcessBuilder(
                        root.resolve("opt/comporta/bin/comporta").toString(), "--version")))
                .startsWith("comporta ");
        Path configuration = root.resolve("etc/comporta/buckets.yaml");
        Files.writeString(configuration, "# mine\n");
        dpkg(root, "--remove", "comporta");
        assertThat(configuration).hasContent("# mine");
        assertThat(root.resolve("opt/comporta")).doesNotExist();
        dpkg(root, "--purge", "comporta");
        assertThat(root.resolve("etc/comporta")).doesNotExist();
    }

    /** The maintainer scripts run outside of the root, which has no shell, and leave this machine's users alone. */
    private static void dpkg(Path root, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "dpkg",
                "--root=" + root,
                "--log=" + root.resolve("dpkg.log"),
                "--force-script-chrootless",
                "--force-depends",
                "--force-not-root"));
        command.addAll(List.of(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        UnpackedDist.run(process);
    }
}
