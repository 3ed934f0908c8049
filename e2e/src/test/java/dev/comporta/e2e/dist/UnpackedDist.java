package dev.comporta.e2e.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The distribution of this checkout, unpacked into a directory of its own. It is packed once, when the jars have changed since,
 * and unpacked once for all tests of a JVM. The jars are those of Maven's {@code package}: after a mere {@code mvn test} they may be
 * missing or old, and then this fails and says so.
 */
public final class UnpackedDist {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Where a machine without a JDK has its programs. */
    private static final String PLAIN_PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

    private static final class Holder {
        static final UnpackedDist UNPACKED;

        static {
            try {
                UNPACKED = unpack();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final Path home;
    private final Path tarball;
    private final Path deb;

    private UnpackedDist(Path home, Path tarball, Path deb) {
        this.home = home;
        this.tarball = tarball;
        this.deb = deb;
    }

    public static UnpackedDist get() {
        return Holder.UNPACKED;
    }

    /** The directory that has {@code bin/comporta}. */
    public Path home() {
        return home;
    }

    Path tarball() {
        return tarball;
    }

    Path deb() {
        return deb;
    }

    /** {@code bin/comporta} with these arguments, in an environment that knows no Java. */
    public ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=HUP", // where the tests run under nohup, SIGHUP would be ignored
                home.resolve("bin/comporta").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        Map<String, String> environment = process.environment();
        environment.clear();
        environment.put("PATH", PLAIN_PATH);
        return process;
    }

    /** Packs the same jars again, elsewhere, with the AOT cache of before. */
    static void packAgain(Path directory) throws IOException {
        run(script(
                "dist/assemble",
                directory.toString(),
                get().home.resolve("lib/comporta.aot").toString()));
    }

    private static UnpackedDist unpack() throws IOException {
        run(script("dist/ensure"));
        String version;
        Path made = ROOT.resolve("target/dist");
        try (var files = Files.list(made)) {
            version = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("-linux-x64.tar.gz"))
                    .map(name -> name.replaceAll("^comporta-|-linux-x64\\.tar\\.gz$", ""))
                    .findFirst()
                    .orElseThrow();
        }
        Path tarball = made.resolve("comporta-" + version + "-linux-x64.tar.gz");
        Path elsewhere = Files.createTempDirectory("comporta dist"); // with a space, as paths may have
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> delete(elsewhere)));
        run(new ProcessBuilder("tar", "-xzf", tarball.toString(), "-C", elsewhere.toString()));
        Path home = Files.move(elsewhere.resolve("comporta-" + version + "-linux-x64"), elsewhere.resolve("moved"));
        return new UnpackedDist(home, tarball, made.resolve("comporta_" + version + "_amd64.deb"));
    }

    private static ProcessBuilder script(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve(name).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder script = new ProcessBuilder(command);
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return script;
    }

    /** @return what it printed */
    static String run(ProcessBuilder command) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command.command() + " failed:\n" + printed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return printed;
    }

    private static void delete(Path directory) {
        try {
            run(new ProcessBuilder("rm", "-rf", directory.toString()));
        } catch (IOException e) {
            System.err.println(e.getMessage());
        }
    }
}
