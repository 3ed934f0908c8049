package dev.comporta.ops.config.value;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A password or token. Logs and records show a mask instead: reading it is always an explicit call. */
public final class HiddenText {
    public static final String MASK = "********";

    private final String value;

    private HiddenText(String value) {
        this.value = value;
    }

    public static HiddenText of(String value) {
        return new HiddenText(value);
    }

    public String reveal() {
        return value;
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    /** In constant time, so that the duration reveals nothing about a guess. */
    @Override
    public boolean equals(Object other) {
        return other instanceof HiddenText secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return MASK;
    }
}
