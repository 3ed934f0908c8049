package dev.comporta.tds.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A password or other bytes that authenticate. {@code toString} hides it, also in records that hold it, and its
 * comparison takes the same time wherever the first difference is. {@link #wipe} it after its last use.
 */
public final class Secret {
    public static final Secret EMPTY = new Secret(new byte[0]);

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes {@code bytes} without copying them: the caller must not keep them. */
    public static Secret ofBytes(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Secret(bytes);
    }

    /** Passwords are UTF-16LE, as LOGIN7 carries them. */
    public static Secret ofText(CharSequence text) {
        byte[] bytes = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            bytes[2 * i] = (byte) text.charAt(i);
            bytes[2 * i + 1] = (byte) (text.charAt(i) >>> 8);
        }
        return ofBytes(bytes);
    }

    /** A copy of the bytes, which the caller wipes. */
    public byte[] revealBytes() {
        return bytes.clone();
    }

    /** The text of a password. The string can't be wiped: use it only for interfaces that require one. */
    public String revealText() {
        return new String(bytes, StandardCharsets.UTF_16LE);
    }

    public int length() {
        return bytes.length;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Overwrites it with zeros: what remains has the same length and is not the password. */
    public void wipe() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(bytes, secret.bytes);
    }

    /** Hashes the length alone: a hash of the bytes would reveal something of them. */
    @Override
    public int hashCode() {
        return bytes.length;
    }

    @Override
    public String toString() {
        return isEmpty() ? "none" : "***";
    }
}
