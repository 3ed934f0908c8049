package dev.comporta.ops.config.value;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 250ms}, {@code 30s}, {@code 1h30m}. */
public final class DurationText {
    private static final Pattern WHOLE = Pattern.compile("(?:\\d+(?:us|ms|s|m|h|d))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(us|ms|s|m|h|d)");
    private static final String ADVICE = "Write it like 250ms, 30s, 5m or 1h30m.";

    private DurationText() {}

    public static Duration parse(String text) throws BadValue {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (text.matches("\\d+")) {
            throw new BadValue("has no unit", "Write " + text + "s for seconds, or ms, m or h.");
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new BadValue("is not a duration", ADVICE);
        }
        try {
            Duration sum = Duration.ZERO;
            Matcher part = PART.matcher(text);
            while (part.find()) {
                sum = sum.plus(unit(part.group(2)).multipliedBy(Long.parseLong(part.group(1))));
            }
            // Timers count in nanoseconds: a duration that overflows them is a typing error.
            long ignored = sum.toNanos();
            return sum;
        } catch (ArithmeticException | NumberFormatException tooLong) {
            throw new BadValue("is longer than can be counted", ADVICE);
        }
    }

    private static Duration unit(String name) {
        return switch (name) {
            case "us" -> Duration.ofNanos(1_000);
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** The shortest text that {@link #parse} reads as this duration, to the microsecond. */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        append(text, duration.toNanosPart() / 1_000 % 1_000, "us");
        return text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }
}
