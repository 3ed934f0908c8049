package dev.comporta.lease.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A script that Redis runs, and the hash by which Redis knows it.
 *
 * @param keys how many keys it has; those after the first one are the first of its arguments
 */
record LeaseScript(String text, String sha, int keys) {
    static final LeaseScript LEASE = load("lease.lua", 1);
    static final LeaseScript CONNECTS = load("connects.lua", 2);

    static LeaseScript of(String text, int keys) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new LeaseScript(text, HexFormat.of().formatHex(digest), keys);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-1", e);
        }
    }

    private static LeaseScript load(String name, int keys) {
        try (InputStream in = Objects.requireNonNull(LeaseScript.class.getResourceAsStream(name), name)) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8), keys);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
