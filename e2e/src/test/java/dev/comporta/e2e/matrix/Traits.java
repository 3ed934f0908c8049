package dev.comporta.e2e.matrix;

import dev.comporta.e2e.matrix.EveryType.Kind;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a driver's own value types can't hold. The server sends it; the driver or its language loses it.
 *
 * @param fractionDigits of a second that the driver's times keep
 * @param decimalsAreDoubles decimal and money arrive as binary floating point
 * @param offsetsAreLost datetimeoffset arrives as an instant without its offset
 * @param unreadable types that the driver can't read, each with the reason
 */
record Traits(
        int fractionDigits, boolean decimalsAreDoubles, boolean offsetsAreLost, Map<EveryType, String> unreadable) {
    static final Traits EXACT = new Traits(7, false, false, Map.of());

    private static final Pattern FRACTION = Pattern.compile("(.*:\\d\\d)\\.(\\d+)(.*)");
    private static final DateTimeFormatter DATE_AND_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSS");

    Traits unable(EveryType type, String reason) {
        Map<EveryType, String> more = new EnumMap<>(EveryType.class);
        more.putAll(unreadable);
        more.put(type, reason);
        return new Traits(fractionDigits, decimalsAreDoubles, offsetsAreLost, more);
    }

    boolean reads(EveryType type) {
        return !unreadable.containsKey(type);
    }

    /** What such a driver shows where an exact one shows this value. */
    String expected(Kind kind, String value) {
        return switch (kind) {
            case TEXT, DECIMAL, REAL, FLOAT -> comparable(kind, value);
            case TIME -> cut(value);
            case OFFSET_TIME -> cut(offsetsAreLost ? inUtc(value) : value);
        };
    }

    /** Languages write the same number or time differently, so such values are read before they are compared. */
    String comparable(Kind kind, String value) {
        return switch (kind) {
            case TEXT -> value;
            case TIME, OFFSET_TIME -> cut(value);
            case DECIMAL -> decimalsAreDoubles ? asDouble(value) : value;
            case REAL -> Float.toString(Float.parseFloat(value));
            case FLOAT -> asDouble(value);
        };
    }

    private static String asDouble(String value) {
        return Double.toString(new BigDecimal(value).doubleValue());
    }

    private static String inUtc(String value) {
        int space = value.lastIndexOf(' ');
        return LocalDateTime.parse(value.substring(0, space).replace(' ', 'T'))
                .atOffset(ZoneOffset.of(value.substring(space + 1)))
                .withOffsetSameInstant(ZoneOffset.UTC)
                .format(DATE_AND_TIME);
    }

    private String cut(String value) {
        Matcher parts = FRACTION.matcher(value);
        if (!parts.matches()) {
            return value;
        }
        String digits = parts.group(2);
        String kept =
                digits.substring(0, Math.min(fractionDigits, digits.length())).replaceAll("0+$", "");
        return parts.group(1) + (kept.isEmpty() ? "" : "." + kept) + parts.group(3);
    }
}
