package dev.comporta.lease.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** A script that Redis runs, and the hash by which Redis knows it. */
record LeaseScript(String text, String sha) {
    static final LeaseScript LEASE = load("lease.lua");
    static final LeaseScript CONNECTS = load("connects.lua");

    static LeaseScript of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new LeaseScript(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-1", e);
        }
    }

    private static LeaseScript load(String name) {
        try (InputStream in = Objects.requireNonNull(LeaseScript.class.getResourceAsStream(name), name)) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
