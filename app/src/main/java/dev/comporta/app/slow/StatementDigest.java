package dev.comporta.app.slow;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A statement without its values: equal for statements that differ only in them.
 *
 * @param text the statement without literals and comments; names are kept
 * @param hash a hash of the text, the same in every instance and version
 */
record StatementDigest(String text, String hash) {
    private static final int HASH_BYTES = 8;

    /** @param statement may be cut off anywhere */
    static StatementDigest of(String statement) {
        String text = new StatementNormalizer(statement).normalized();
        return new StatementDigest(text, hash(text));
    }

    /** The digest of a call that has a name and no text. */
    static StatementDigest ofName(String name) {
        return new StatementDigest(name, hash(name));
    }

    private static String hash(String text) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
