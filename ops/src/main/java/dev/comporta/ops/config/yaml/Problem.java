package dev.comporta.ops.config.yaml;

import java.util.Locale;

/**
 * An error or a warning about a configuration.
 *
 * @param key the whole path of the key, or empty when the file itself is at fault
 * @param what a sentence that says what is wrong
 * @param advice a sentence that says what to do about it
 */
public record Problem(Severity severity, Location where, String key, String what, String advice) {
    /** Only an {@link #ERROR} keeps Comporta from starting. */
    public enum Severity {
        ERROR,
        WARNING
    }

    /** In the form that editors and CI systems turn into links. */
    @Override
    public String toString() {
        String subject = key.isEmpty() ? "" : key + ": ";
        return where + ": " + severity.name().toLowerCase(Locale.ROOT) + ": " + subject + what + " " + advice;
    }
}
