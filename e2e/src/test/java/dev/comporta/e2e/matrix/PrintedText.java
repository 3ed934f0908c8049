package dev.comporta.e2e.matrix;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what FreeTDS prints back into the matrix's own writing: months by name, clocks of twelve hours, bare hex. */
final class PrintedText {
    private static final Pattern DATE = Pattern.compile("([A-Z][a-z]{2}) +(\\d{1,2}) (\\d{1,4})(?: |$)(.*)");
    private static final Pattern CLOCK =
            Pattern.compile("\\s*(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?(?:[.:](\\d*))?([AP]M)(.*)");
    private static final DateTimeFormatter MONTH =
            new DateTimeFormatterBuilder().appendPattern("MMM d u").toFormatter(Locale.ENGLISH);

    private PrintedText() {}

    static String canonical(EveryType type, String printed) {
        if (printed.equals("NULL")) {
            return printed;
        }
        if (printed.isEmpty() && !isText(type)) {
            return "NULL";
        }
        return switch (type) {
            case BIT -> printed.equals("1") ? "true" : printed.equals("0") ? "false" : printed;
            case BINARY, VARBINARY, LONG_VARBINARY, IMAGE -> hex(printed);
            // A date is printed with the time of midnight, and a time with the day that numbers begin with.
            case DATE -> dateAndTime(printed).replaceFirst(" 00:00:00$", "");
            case TIME, SHORT_TIME -> dateAndTime(printed).replaceFirst("^1900-01-01 ", "");
            case DATETIME, SMALLDATETIME, DATETIME2, SHORT_DATETIME2, DATETIMEOFFSET -> dateAndTime(printed);
            default -> printed;
        };
    }

    /** Whether a value of the type may be printed as nothing. */
    static boolean isText(EveryType type) {
        return switch (type) {
            case CHAR, VARCHAR, LONG_VARCHAR, TEXT, NCHAR, NVARCHAR, LONG_NVARCHAR, NTEXT, XML, SQL_VARIANT -> true;
            case BINARY, VARBINARY, LONG_VARBINARY, IMAGE -> true;
            default -> false;
        };
    }

    private static String hex(String printed) {
        String digits = printed.startsWith("0x") ? printed.substring(2) : printed;
        return "0x" + digits.toUpperCase(Locale.ROOT);
    }

    private static String dateAndTime(String printed) {
        Matcher date = DATE.matcher(printed);
        if (!date.matches()) {
            // Years before 1000 are printed without their zeros.
            return clock(printed.matches("\\d{1,3}-.*") ? "0".repeat(4 - printed.indexOf('-')) + printed : printed);
        }
        LocalDate day = LocalDate.parse(date.group(1) + " " + date.group(2) + " " + date.group(3), MONTH);
        return (day + " " + clock(date.group(4))).strip();
    }

    private static String clock(String printed) {
        Matcher clock = CLOCK.matcher(printed);
        if (!clock.matches()) {
            return printed;
        }
        int hour = Integer.parseInt(clock.group(1)) % 12 + (clock.group(5).equals("PM") ? 12 : 0);
        LocalTime time = LocalTime.of(
                hour, Integer.parseInt(clock.group(2)), clock.group(3) == null ? 0 : Integer.parseInt(clock.group(3)));
        String fraction = clock.group(4) == null ? "" : clock.group(4).replaceAll("0+$", "");
        return Shown.value(time) + (fraction.isEmpty() ? "" : "." + fraction) + clock.group(6);
    }
}
