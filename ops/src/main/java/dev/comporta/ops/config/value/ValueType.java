package dev.comporta.ops.config.value;

import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Converts the text of a scalar to a value.
 *
 * @param expectation describes a valid value, to follow "must be"
 * @param placeholder replaces a missing or bad value, so that reading goes on and finds the other errors too
 * @param format writes a value as it would stand in the file
 */
public record ValueType<T>(
        String expectation, T placeholder, Parser<T> parser, Function<T, String> format, boolean secret) {
    /** A type whose values are not secret. */
    public ValueType(String expectation, T placeholder, Parser<T> parser, Function<T, String> format) {
        this(expectation, placeholder, parser, format, false);
    }

    /** A text that matches a pattern; if it does not, {@code wrong} and {@code advice} are reported. */
    public static ValueType<String> matching(String expectation, String pattern, String wrong, String advice) {
        Pattern allowed = Pattern.compile(pattern);
        return new ValueType<>(
                expectation,
                "",
                text -> {
                    if (!allowed.matcher(text).matches()) {
                        throw new BadValue(wrong, advice);
                    }
                    return text;
                },
                Function.identity());
    }

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
