package dev.comporta.proxy.admit;

import dev.comporta.tds.login.Secret;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes a keyed hash of a secret, so that secrets can be compared without being kept. The key never leaves this process,
 * so a tag is useless elsewhere.
 */
final class SecretTags {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    SecretTags() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, ALGORITHM);
    }

    String of(Secret secret) {
        byte[] bytes = secret.revealBytes();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
