package dev.comporta.ops.config.value;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes: {@code 512}, {@code 16KB}, {@code 4MB}; a kilobyte is 1024 bytes. */
public final class SizeText {
    private static final Pattern SIZE = Pattern.compile("(\\d+)(|B|KB|MB|GB|KIB|MIB|GIB)");
    private static final String[] UNITS = {"GB", "MB", "KB"};

    private SizeText() {}

    public static long parse(String text) throws BadValue {
        Matcher size = SIZE.matcher(text.toUpperCase(Locale.ROOT));
        if (!size.matches()) {
            throw new BadValue("is not a size", "Write it like 512, 16KB or 4MB.");
        }
        try {
            return Math.multiplyExact(Long.parseLong(size.group(1)), factor(size.group(2)));
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            throw new BadValue("is larger than can be counted", "Write it like 512, 16KB or 4MB.");
        }
    }

    private static long factor(String unit) {
        return switch (unit) {
            case "KB", "KIB" -> 1L << 10;
            case "MB", "MIB" -> 1L << 20;
            case "GB", "GIB" -> 1L << 30;
            default -> 1;
        };
    }

    /** In the largest unit that divides it. */
    public static String format(long bytes) {
        for (String unit : UNITS) {
            if (bytes != 0 && bytes % factor(unit) == 0) {
                return bytes / factor(unit) + unit;
            }
        }
        return Long.toString(bytes);
    }
}
