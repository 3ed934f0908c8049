package dev.comporta.e2e.book;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder that is to {@code ./comporta} what a clone is after its first build: with the launcher itself, and with the
 * classes of this test's class path.
 */
final class Clone {
    private static final List<String> MODULES = List.of("app", "bench", "demo", "monitoring");

    private Clone() {}

    static void make(Path directory) throws IOException {
        Files.copy(Page.ROOT.resolve("comporta"), directory.resolve("comporta"));
        if (!directory.resolve("comporta").toFile().setExecutable(true)) {
            throw new IOException("comporta can't be made executable");
        }
        copy("deploy", directory);
        copy("dist/tree", directory); // the options of the JVM
        Files.createFile(directory.resolve("pom.xml"));
        for (String module : MODULES) {
            Path folder = Files.createDirectories(directory.resolve(module));
            Files.createFile(folder.resolve("pom.xml"));
            Files.createDirectories(folder.resolve("src/main"));
            Files.createDirectories(folder.resolve("target/classes"));
            jarOfClassPath(Files.createDirectories(folder.resolve("target/lib")).resolve("all.jar"));
        }
        Path target = Files.createDirectory(directory.resolve("target"));
        for (String module : MODULES) {
            Files.createFile(target.resolve("built-" + module));
        }
    }

    private static void copy(String folder, Path directory) throws IOException {
        Path from = Page.ROOT.resolve(folder);
        if (Files.exists(from)) {
            Files.createDirectories(directory.resolve(folder).getParent());
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Files.copy(file, directory.resolve(Page.ROOT.relativize(file)));
                }
            }
        }
    }

    /** An empty jar whose manifest names all of them: a folder can't stand in lib/. */
    private static void jarOfClassPath(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toUri().toString())
                .collect(Collectors.joining(" "));
    }
}
