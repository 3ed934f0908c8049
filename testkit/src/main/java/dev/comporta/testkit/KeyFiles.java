package dev.comporta.testkit;

import dev.comporta.tls.SelfSignedCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A certificate and its key as PEM files, for a configuration.
 *
 * @param certificate {@code <name>.crt}
 * @param key {@code <name>.key}
 */
public record KeyFiles(Path certificate, Path key) {
    public static KeyFiles write(Path directory, String name, SelfSignedCertificate made) throws IOException {
        return new KeyFiles(
                Files.writeString(directory.resolve(name + ".crt"), made.pem()),
                Files.writeString(
                        directory.resolve(name + ".key"),
                        pem("PRIVATE KEY", made.key().getEncoded())));
    }

    public static String pem(String label, byte[] encoded) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                + "\n-----END " + label + "-----\n";
    }
}
