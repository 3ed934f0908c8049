package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses dates and times, in the formats that SQL Server accepts. */
final class TemporalParser {
    private static final LocalDate BASE = LocalDate.of(1900, 1, 1);
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private static final Pattern COMPACT = Pattern.compile("(\\d{4})(\\d{2})(\\d{2})");
    private static final Pattern ISO = Pattern.compile("(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})");
    private static final Pattern ORDERED = Pattern.compile("(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4}|\\d{2})");
    private static final Pattern MONTH_FIRST = Pattern.compile("([a-z]{3,9})\\s+(\\d{1,2}),?\\s+(\\d{4})");
    private static final Pattern DAY_FIRST = Pattern.compile("(\\d{1,2})[\\s-]([a-z]{3,9})[\\s,-]+(\\d{4})");
    private static final Pattern TIME = Pattern.compile(
            "(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:[.:](\\d{1,9}))?)?)?\\s*(am|pm)?\\s*(z|[+-]\\d{2}:\\d{2})?");

    private TemporalParser() {}

    static Object parse(String text, String dateFormat, SqlType from, SqlType to) {
        String trimmed = text.strip().toLowerCase(Locale.ROOT);
        if (trimmed.isEmpty()) {
            return BASE.atStartOfDay();
        }
        try {
            return parse(trimmed, dateFormat);
        } catch (DateTimeException e) {
            String message = "The conversion of a " + Types.name(from) + " data type to a " + Types.name(to)
                    + " data type resulted in an out-of-range value.";
            throw new SqlError(242, 16, 3, SqlError.Effect.ROLLBACK, message);
        }
    }

    private static Object parse(String text, String dateFormat) {
        Matcher[] found = new Matcher[1];
        LocalDate date = datePrefix(text, dateFormat, found);
        String rest = date == null ? text : text.substring(found[0].end()).strip();
        if (date != null && rest.startsWith("t")) {
            rest = rest.substring(1);
        }
        if (rest.isEmpty() && date != null) {
            return date.atStartOfDay();
        }
        Matcher time = TIME.matcher(rest);
        boolean bareNumber = date == null && !rest.contains(":") && !rest.endsWith("m");
        if (bareNumber || !time.matches()) {
            throw SqlError.dateConversionFailed();
        }
        LocalDateTime local = (date == null ? BASE : date).atTime(time(time));
        String zone = time.group(6);
        if (zone == null) {
            return local;
        }
        return OffsetDateTime.of(local, zone.equals("z") ? ZoneOffset.UTC : ZoneOffset.of(zone));
    }

    private static @Nullable LocalDate datePrefix(String text, String dateFormat, Matcher[] found) {
        Matcher iso = prefix(ISO, text, found);
        if (iso != null) {
            return date(iso.group(1), iso.group(2), iso.group(3));
        }
        Matcher compact = prefix(COMPACT, text, found);
        if (compact != null) {
            return date(compact.group(1), compact.group(2), compact.group(3));
        }
        Matcher ordered = prefix(ORDERED, text, found);
        if (ordered != null) {
            boolean dayFirst = dateFormat.equals("dmy");
            String month = ordered.group(dayFirst ? 2 : 1);
            String day = ordered.group(dayFirst ? 1 : 2);
            return date(ordered.group(3), month, day);
        }
        Matcher monthFirst = prefix(MONTH_FIRST, text, found);
        if (monthFirst != null) {
            return date(monthFirst.group(3), month(monthFirst.group(1)), monthFirst.group(2));
        }
        Matcher dayFirst = prefix(DAY_FIRST, text, found);
        if (dayFirst != null) {
            return date(dayFirst.group(3), month(dayFirst.group(2)), dayFirst.group(1));
        }
        return null;
    }

    private static @Nullable Matcher prefix(Pattern pattern, String text, Matcher[] found) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.lookingAt()) {
            return null;
        }
        found[0] = matcher;
        return matcher;
    }

    private static String month(String name) {
        int index = MONTHS.indexOf(name.substring(0, 3));
        if (index < 0) {
            throw SqlError.dateConversionFailed();
        }
        return String.valueOf(index + 1);
    }

    /** A two-digit year means 1950 to 2049, the server's default cutoff. */
    private static LocalDate date(String yearText, String month, String day) {
        int year = Integer.parseInt(yearText);
        if (yearText.length() == 2) {
            year += year < 50 ? 2000 : 1900;
        }
        return LocalDate.of(year, Integer.parseInt(month), Integer.parseInt(day));
    }

    private static LocalTime time(Matcher matcher) {
        int hour = Integer.parseInt(matcher.group(1));
        String half = matcher.group(5);
        if (half != null) {
            hour = hour % 12 + (half.equals("pm") ? 12 : 0);
        }
        String fraction = matcher.group(4);
        int nanos = fraction == null ? 0 : Integer.parseInt((fraction + "000000000").substring(0, 9));
        return LocalTime.of(hour, part(matcher.group(2)), part(matcher.group(3)), nanos);
    }

    private static int part(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
