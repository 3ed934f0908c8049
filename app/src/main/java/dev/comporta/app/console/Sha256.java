package dev.comporta.app.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Compares secrets in constant time. */
public final class Sha256 {
    private Sha256() {}

    public static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(of(one), of(other));
    }

    static byte[] of(String... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0); // separates the parts: ("ab", "c") must differ from ("a", "bc")
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
