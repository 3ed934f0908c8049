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
 * @param fractionDigits of a second that the driver's times keep; {@link #MINUTES} when even seconds are lost
 * @param unreadable types that the driver can't read, each with the reason
 */
record Traits(int fractionDigits, Decimals decimals, Offsets offsets, Map<EveryType, String> unreadable) {
    enum Decimals {
        EXACT,
        WITHOUT_SCALE,
        DOUBLES
    }

    /** What remains of a datetimeoffset: all of it, the instant in UTC, or the time alone. */
    enum Offsets {
        KEPT,
        IN_UTC,
        CUT_OFF
    }

    static final int MINUTES = -1;
    static final Traits EXACT = new Traits(7, Decimals.EXACT, Offsets.KEPT, Map.of());

    private static final Pattern TIME = Pattern.compile("(.*\\d\\d:\\d\\d)(:\\d\\d)(?:\\.(\\d+))?( [+-].*)?");
    private static final DateTimeFormatter DATE_AND_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSS");

    Traits unable(EveryType type, String reason) {
        Map<EveryType, String> more = new EnumMap<>(EveryType.class);
        more.putAll(unreadable);
        more.put(type, reason);
        return new Traits(fractionDigits, decimals, offsets, more);
    }

    boolean reads(EveryType type) {
        return !unreadable.containsKey(type);
    }

    /** What such a driver shows where an exact one shows this value. */
    String expected(Kind kind, String value) {
        return comparable(
                kind,
                switch (kind) {
                    case TEXT, DECIMAL, REAL, FLOAT, TIME -> value;
                    case OFFSET_TIME ->
                        switch (offsets) {
                            case KEPT -> value;
                            case IN_UTC -> inUtc(value);
                            case CUT_OFF -> value.substring(0, value.lastIndexOf(' '));
                        };
                });
    }

    /** Languages write the same number or time differently, so such values are read before they are compared. */
    String comparable(Kind kind, String value) {
        return switch (kind) {
            case TEXT -> value;
            case DECIMAL ->
                switch (decimals) {
                    case EXACT -> value;
                    case WITHOUT_SCALE ->
                        new BigDecimal(value).stripTrailingZeros().toPlainString();
                    case DOUBLES -> asDouble(value);
                };
            case REAL -> Float.toString(Float.parseFloat(value));
            case FLOAT -> asDouble(value);
            case TIME, OFFSET_TIME -> cut(value);
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
        Matcher parts = TIME.matcher(value);
        if (!parts.matches()) {
            return value;
        }
        String offset = parts.group(4) == null ? "" : parts.group(4);
        if (fractionDigits == MINUTES) {
            return parts.group(1) + offset;
        }
        String digits = parts.group(3) == null ? "" : parts.group(3);
        String kept =
                digits.substring(0, Math.min(fractionDigits, digits.length())).replaceAll("0+$", "");
        return parts.group(1) + parts.group(2) + (kept.isEmpty() ? "" : "." + kept) + offset;
    }
}
