package dev.comporta.ops.config.yaml;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks files that settings name: a missing file is reported when the settings are read, not when the first client connects. */
public final class NamedFile {
    private NamedFile() {}

    public static Optional<Path> file(Section section, Key<Path> key) {
        Path written = section.find(key);
        if (written == null) {
            return Optional.empty();
        }
        Path path = section.resolve(written);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            section.error(
                    key.name(),
                    "The file " + path + " can't be read.",
                    "Check the path, which starts at the directory of this file, and that this user may read it.");
        }
        return Optional.of(path);
    }
}
