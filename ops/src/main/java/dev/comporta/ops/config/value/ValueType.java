package dev.comporta.ops.config.value;

import java.util.function.Function;

/**
 * How the text of a scalar becomes a value.
 *
 * @param expectation what is wanted, to follow "must be"
 * @param placeholder stands in for a missing or bad value, so that reading goes on and finds the other mistakes too
 * @param format writes a value as it would stand in the file
 */
public record ValueType<T>(
        String expectation, T placeholder, Parser<T> parser, Function<T, String> format, boolean secret) {
    /** Turns the text, with its substitutions made, into a value. */
    @FunctionalInterface
    public interface Parser<T> {
        T parse(String text) throws BadValue;
    }

    public T parse(String text) throws BadValue {
        return parser.parse(text);
    }

    /** The value as it may be shown to anyone. */
    public String show(T value) {
        return secret ? HiddenText.MASK : format.apply(value);
    }
}
