package dev.comporta.app.top;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats figures in a few cells. */
final class Numbers {
    private static final double SECOND = 1000;
    private static final double MINUTE = 60 * SECOND;
    private static final double HOUR = 60 * MINUTE;

    private Numbers() {}

    /** With at most three digits, which are easy to compare at a glance. */
    static String millis(@Nullable Double millis) {
        if (millis == null) {
            return "-";
        }
        if (millis < 10) {
            return millis == 0 ? "0ms" : String.format(Locale.ROOT, "%.1fms", millis);
        }
        if (millis < SECOND) {
            return String.format(Locale.ROOT, "%.0fms", millis);
        }
        if (millis < MINUTE) {
            return String.format(Locale.ROOT, "%.1fs", millis / SECOND);
        }
        long seconds = (long) (millis / SECOND);
        return millis < HOUR
                ? String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
    }

    static String rate(double perSecond) {
        return perSecond > 0 && perSecond < 10
                ? String.format(Locale.ROOT, "%.1f", perSecond)
                : String.format(Locale.ROOT, "%,.0f", perSecond);
    }

    static String count(int count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String count(int count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }
}
