package dev.comporta.e2e.sessions;

import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.SqlVariant;
import dev.comporta.tds.type.TypeInfo;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of every type.
 *
 * @param declaration as T-SQL has it
 */
record Sample(String declaration, TypeInfo type, @Nullable Object value) {
    /** More than the proxy holds of a request before it asks for a connection. */
    private static final int BEYOND_WHAT_IS_HELD = 40_000;

    private static final LocalDateTime NOON = LocalDateTime.of(2025, 2, 28, 12, 30);

    static Sample draw(Draw draw) {
        List<Sample> all = all(draw);
        Sample sample = draw.one(all);
        while (!draw.version.isAtLeast(sample.type.type().since())
                || (sample.type.isPlp() && !draw.version.hasPartialLengthValues())) {
            sample = draw.one(all);
        }
        return draw.chance(10) ? new Sample(sample.declaration, sample.type, null) : sample;
    }

    /** Of several packets, or of more than the proxy holds: in TDS 7.1 the old types, later those in parts. */
    static Sample large(Draw draw) {
        int length = draw.one(3_000, 9_000, BEYOND_WHAT_IS_HELD) + draw.below(100);
        if (!draw.version.hasPartialLengthValues()) {
            return draw.chance(50)
                    ? new Sample("ntext", TypeInfo.ntext(), "ä".repeat(length))
                    : new Sample("image", TypeInfo.image(), new byte[length]);
        }
        return switch (draw.below(3)) {
            case 0 -> new Sample("nvarchar(max)", TypeInfo.nvarchar(TypeInfo.MAX), "ä".repeat(length));
            case 1 -> new Sample("varchar(max)", TypeInfo.varchar(TypeInfo.MAX), "x".repeat(length));
            default -> new Sample("varbinary(max)", TypeInfo.varbinary(TypeInfo.MAX), new byte[length]);
        };
    }

    private static List<Sample> all(Draw draw) {
        int n = draw.below(100);
        String text = "näme ' " + n;
        byte[] bytes = {1, 2, (byte) n};
        return List.of(
                new Sample("bit", TypeInfo.bitN(), n % 2 == 0),
                new Sample("tinyint", TypeInfo.intN(1), (short) n),
                new Sample("smallint", TypeInfo.intN(2), (short) -n),
                new Sample("int", TypeInfo.intN(4), n),
                new Sample("bigint", TypeInfo.intN(8), n * 10_000_000_000L),
                new Sample("real", TypeInfo.floatN(4), n / 4f),
                new Sample("float", TypeInfo.floatN(8), n / 8d),
                new Sample("money", TypeInfo.moneyN(8), BigDecimal.valueOf(n * 12_345L, 4)),
                new Sample("smallmoney", TypeInfo.moneyN(4), BigDecimal.valueOf(n * 5L, 4)),
                new Sample("decimal(18,4)", TypeInfo.decimal(18, 4), BigDecimal.valueOf(-n * 777L, 4)),
                new Sample("numeric(9,2)", TypeInfo.numeric(9, 2), BigDecimal.valueOf(n, 2)),
                new Sample("datetime", TypeInfo.datetimeN(8), NOON.plusDays(n)),
                new Sample("smalldatetime", TypeInfo.datetimeN(4), NOON.minusDays(n)),
                new Sample("date", TypeInfo.date(), LocalDate.of(2024, 2, 29).plusDays(n)),
                new Sample("time(3)", TypeInfo.time(3), LocalTime.of(1, 2, n % 60)),
                new Sample("datetime2(7)", TypeInfo.datetime2(7), NOON.plusNanos(100L * n)),
                new Sample(
                        "datetimeoffset(2)",
                        TypeInfo.datetimeoffset(2),
                        OffsetDateTime.of(NOON, ZoneOffset.ofHours(n % 12))),
                new Sample("uniqueidentifier", TypeInfo.guid(), new UUID(n, draw.client)),
                new Sample("nvarchar(50)", TypeInfo.nvarchar(50), text),
                new Sample("nchar(12)", TypeInfo.nchar(12), "n" + n),
                new Sample("varchar(50)", TypeInfo.varchar(50), text),
                new Sample("char(12)", TypeInfo.character(12), "c" + n),
                new Sample("varbinary(20)", TypeInfo.varbinary(20), bytes),
                new Sample("binary(8)", TypeInfo.binary(8), bytes),
                new Sample(
                        "nvarchar(max)", TypeInfo.nvarchar(TypeInfo.MAX), text.repeat(n * (draw.chance(10) ? 60 : 1))),
                new Sample(
                        "nvarchar(max)",
                        TypeInfo.nvarchar(TypeInfo.MAX),
                        draw.chance(10) ? "x".repeat(BEYOND_WHAT_IS_HELD + n) : text),
                new Sample("varchar(max)", TypeInfo.varchar(TypeInfo.MAX), text.repeat(n)),
                new Sample("varbinary(max)", TypeInfo.varbinary(TypeInfo.MAX), new byte[n * 50]),
                new Sample("text", TypeInfo.text(), text),
                new Sample("ntext", TypeInfo.ntext(), text.repeat(n)),
                new Sample("image", TypeInfo.image(), bytes),
                new Sample("xml", TypeInfo.xml(), "<a n=\"" + n + "\"/>"),
                new Sample("sql_variant", TypeInfo.sqlVariant(), new SqlVariant(TypeInfo.fixed(DataType.INT4), n)));
    }

    Arg arg() {
        return Arg.of(type, value);
    }
}
