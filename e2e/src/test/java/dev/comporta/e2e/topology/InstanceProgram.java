package dev.comporta.e2e.topology;

import java.nio.file.Path;
import java.util.List;

/** What starts an instance. */
final class InstanceProgram {
    private InstanceProgram() {}

    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.comporta.app.Main");
    }
}
