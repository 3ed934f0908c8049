package dev.comporta.tds.type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * A type with a value that comes back from the wire as it went.
 *
 * @param value null where the type can be null
 */
public record AnyValue(TypeInfo type, Object value) {
    /** Every type that a result's column can have. */
    public static Arbitrary<AnyValue> ofColumn() {
        return Arbitraries.oneOf(List.of(
                        integers(),
                        numbers(),
                        decimals(),
                        dates(),
                        times(),
                        texts(),
                        binaries(),
                        largeObjects(),
                        others()))
                .flatMap(AnyValue::sometimesNull);
    }

    /** Columns of TDS 7.1: no dates of their own, no chunks. */
    public static Arbitrary<AnyValue> ofOldColumn() {
        return Arbitraries.oneOf(List.of(integers(), numbers(), decimals(), texts(), binaries()))
                .flatMap(AnyValue::sometimesNull);
    }

    private static Arbitrary<AnyValue> sometimesNull(AnyValue some) {
        return some.type.type().length() == DataType.Length.FIXED
                ? Arbitraries.just(some)
                : Arbitraries.frequency(Tuple.of(4, some.value), Tuple.of(1, null))
                        .map(value -> new AnyValue(some.type, value));
    }

    private static Arbitrary<AnyValue> integers() {
        return Arbitraries.oneOf(
                of(TypeInfo.intN(1), Arbitraries.shorts().between((short) 0, (short) 255)),
                of(TypeInfo.intN(2), Arbitraries.shorts()),
                of(TypeInfo.intN(4), Arbitraries.integers()),
                of(TypeInfo.intN(8), Arbitraries.longs()),
                of(TypeInfo.fixed(DataType.INT1), Arbitraries.shorts().between((short) 0, (short) 255)),
                of(TypeInfo.fixed(DataType.INT2), Arbitraries.shorts()),
                of(TypeInfo.fixed(DataType.INT4), Arbitraries.integers()),
                of(TypeInfo.fixed(DataType.INT8), Arbitraries.longs()),
                of(TypeInfo.bitN(), Arbitraries.of(true, false)),
                of(TypeInfo.fixed(DataType.BIT), Arbitraries.of(true, false)));
    }

    private static Arbitrary<AnyValue> numbers() {
        Arbitrary<BigDecimal> money = Arbitraries.longs().map(units -> BigDecimal.valueOf(units, 4));
        Arbitrary<BigDecimal> smallMoney = Arbitraries.integers().map(units -> BigDecimal.valueOf(units, 4));
        return Arbitraries.oneOf(
                of(TypeInfo.floatN(4), Arbitraries.floats()),
                of(TypeInfo.floatN(8), Arbitraries.doubles()),
                of(TypeInfo.fixed(DataType.FLT8), Arbitraries.doubles()),
                of(TypeInfo.moneyN(8), money),
                of(TypeInfo.moneyN(4), smallMoney),
                of(TypeInfo.fixed(DataType.MONEY4), smallMoney));
    }

    private static Arbitrary<AnyValue> decimals() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 38),
                        Arbitraries.integers().between(0, 38))
                .as((precision, scale) -> TypeInfo.decimal(precision, Math.min(scale, precision)))
                .flatMap(type -> {
                    BigInteger limit = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
                    return of(
                            type,
                            Arbitraries.bigIntegers()
                                    .between(limit.negate(), limit)
                                    .map(unscaled -> new BigDecimal(unscaled, type.scale())));
                });
    }

    private static Arbitrary<LocalDate> days() {
        return Arbitraries.longs()
                .between(
                        LocalDate.of(1, 1, 2).toEpochDay(),
                        LocalDate.of(9999, 12, 30).toEpochDay())
                .map(LocalDate::ofEpochDay);
    }

    private static Arbitrary<LocalTime> times(int scale) {
        long unit = (long) Math.pow(10, 9 - scale);
        return Arbitraries.longs()
                .between(0, 86_400_000_000_000L / unit - 1)
                .map(units -> LocalTime.ofNanoOfDay(units * unit));
    }

    private static Arbitrary<AnyValue> dates() {
        Arbitrary<LocalDateTime> minutes = Arbitraries.integers()
                .between(0, 60_000 * 1440)
                .map(count -> LocalDateTime.of(1900, 1, 1, 0, 0).plusMinutes(count));
        return Arbitraries.oneOf(
                of(TypeInfo.date(), days()),
                of(TypeInfo.datetimeN(4), minutes),
                of(TypeInfo.datetimeN(8), minutes.map(time -> time.plusNanos(7_000_000))),
                of(TypeInfo.fixed(DataType.DATETIME), minutes.map(time -> time.plusNanos(3_000_000))));
    }

    private static Arbitrary<AnyValue> times() {
        return Arbitraries.integers().between(0, 7).flatMap(scale -> {
            Arbitrary<LocalDateTime> moments =
                    Combinators.combine(days(), times(scale)).as(LocalDate::atTime);
            Arbitrary<OffsetDateTime> offsets = Combinators.combine(
                            moments, Arbitraries.integers().between(-14 * 60, 14 * 60))
                    .as((moment, offset) -> moment.atOffset(ZoneOffset.ofTotalSeconds(offset * 60)));
            return Arbitraries.oneOf(
                    of(TypeInfo.time(scale), times(scale)),
                    of(TypeInfo.datetime2(scale), moments),
                    of(TypeInfo.datetimeoffset(scale), offsets));
        });
    }

    private static Arbitrary<String> text(int length) {
        return Arbitraries.strings().all().ofMaxLength(length);
    }

    private static Arbitrary<AnyValue> texts() {
        Arbitrary<String> ascii = Arbitraries.strings().ascii().ofMaxLength(20);
        return Arbitraries.oneOf(
                of(TypeInfo.nvarchar(20), text(20)),
                of(TypeInfo.nchar(3), Arbitraries.strings().alpha().ofLength(3)),
                of(TypeInfo.varchar(20), ascii),
                of(TypeInfo.character(3), Arbitraries.strings().alpha().ofLength(3)),
                of(TypeInfo.text(), ascii),
                of(TypeInfo.ntext(), text(50)));
    }

    private static Arbitrary<byte[]> bytes(int length) {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(length);
    }

    private static Arbitrary<AnyValue> binaries() {
        return Arbitraries.oneOf(
                of(TypeInfo.varbinary(300), bytes(300)),
                of(TypeInfo.binary(8), Arbitraries.bytes().array(byte[].class).ofSize(8)),
                of(TypeInfo.image(), bytes(300)),
                of(
                        TypeInfo.guid(),
                        Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
                                .as(UUID::new)));
    }

    private static Arbitrary<AnyValue> largeObjects() {
        return Arbitraries.oneOf(
                of(TypeInfo.nvarchar(TypeInfo.MAX), text(600)),
                of(TypeInfo.varchar(TypeInfo.MAX), Arbitraries.strings().ascii().ofMaxLength(600)),
                of(TypeInfo.varbinary(TypeInfo.MAX), bytes(1000)),
                of(TypeInfo.xml(), Arbitraries.strings().alpha().ofMaxLength(50)),
                of(TypeInfo.udt(new TypeName("db", "dbo", "point", "Point, Geometry")), bytes(50)),
                of(TypeInfo.json(), Arbitraries.strings().alpha().ofMaxLength(50)));
    }

    private static Arbitrary<AnyValue> others() {
        Arbitrary<Object> variants = Arbitraries.oneOf(
                Arbitraries.integers().map(value -> new SqlVariant(TypeInfo.fixed(DataType.INT4), value)),
                text(10).map(value -> new SqlVariant(TypeInfo.nvarchar(10), value)),
                days().map(value -> new SqlVariant(TypeInfo.date(), value)));
        return Arbitraries.oneOf(
                of(TypeInfo.sqlVariant(), variants),
                of(TypeInfo.vector(3), Arbitraries.floats().array(float[].class).ofSize(3)));
    }

    private static Arbitrary<AnyValue> of(TypeInfo type, Arbitrary<?> values) {
        return values.map(value -> new AnyValue(type, value));
    }
}
