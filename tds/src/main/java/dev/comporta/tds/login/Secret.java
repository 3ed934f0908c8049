package dev.comporta.tds.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A password, or any other bytes that prove who somebody is. It never shows itself: not in {@code toString}, not in a
 * record that holds it, and its comparison takes as long for a near miss as for any other. {@link #wipe} it when it has
 * served.
 */
public final class Secret {
    public static final Secret EMPTY = new Secret(new byte[0]);

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes {@code bytes} as they are, without a copy: nobody else may keep them. */
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

    /** A copy, which the caller wipes. */
    public byte[] revealBytes() {
        return bytes.clone();
    }

    /** The text of a password. It can't be wiped: for the few interfaces that demand a string. */
    public String revealText() {
        return new String(bytes, StandardCharsets.UTF_16LE);
    }

    public int length() {
        return bytes.length;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Overwrites it with zeros. A holder of it has a text of the same length that is no password. */
    public void wipe() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(bytes, secret.bytes);
    }

    /** Of the length alone: a hash of the bytes would tell of them. */
    @Override
    public int hashCode() {
        return bytes.length;
    }

    @Override
    public String toString() {
        return isEmpty() ? "none" : "***";
    }
}
