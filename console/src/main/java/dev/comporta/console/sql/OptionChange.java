package dev.comporta.console.sql;

/**
 * One entry of {@code ALTER SERVER … OPTIONS (…)}.
 *
 * @param value the new value, empty for DROP
 */
public record OptionChange(Action action, String key, String value) {
    public enum Action {
        SET,
        ADD,
        DROP
    }
}
