package dev.comporta.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The version of this build, as written by Maven. */
final class Version {
    private Version() {}

    static String text() {
        try (InputStream written = Version.class.getResourceAsStream("version.txt")) {
            return new String(Objects.requireNonNull(written).readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
