package dev.comporta.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Which build this is, as Maven wrote it down. */
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
