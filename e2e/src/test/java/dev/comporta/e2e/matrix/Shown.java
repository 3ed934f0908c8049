package dev.comporta.e2e.matrix;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values as the matrix writes them: the same text in every language. */
final class Shown {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Shown() {}

    static String value(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            // Only tinyint is so short, and it has no sign.
            case Byte octet -> Integer.toString(Byte.toUnsignedInt(octet));
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> "0x" + HEX.formatHex(bytes);
            case UUID uuid -> uuid.toString().toUpperCase(Locale.ROOT);
            case LocalDate date -> date.toString();
            case LocalTime time -> time(time);
            case LocalDateTime time -> dateAndTime(time);
            case Timestamp time -> dateAndTime(time.toLocalDateTime());
            case OffsetDateTime time -> dateAndTime(time.toLocalDateTime()) + " " + offset(time);
            default -> value.toString();
        };
    }

    private static String dateAndTime(LocalDateTime time) {
        return time.toLocalDate() + " " + time(time.toLocalTime());
    }

    private static String time(LocalTime time) {
        String digits = String.format(Locale.ROOT, ".%09d", time.getNano()).replaceAll("\\.?0+$", "");
        return String.format(Locale.ROOT, "%02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond())
                + digits;
    }

    private static String offset(OffsetDateTime time) {
        String id = time.getOffset().getId();
        return id.equals("Z") ? "+00:00" : id;
    }
}
