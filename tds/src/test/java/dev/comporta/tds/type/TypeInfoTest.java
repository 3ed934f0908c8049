package dev.comporta.tds.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.tds.ProtocolException;
import dev.comporta.tds.TdsVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Types and values byte for byte, as SQL Server sends them. */
class TypeInfoTest {
    private static final TdsVersion V = TdsVersion.V7_4;

    @Test
    void typeInfoIsWrittenAsTheServerDoes() {
        assertType(TypeInfo.intN(4), "26 04");
        assertType(TypeInfo.fixed(DataType.INT4), "38");
        assertType(TypeInfo.decimal(18, 2), "6a 09 12 02");
        assertType(TypeInfo.nvarchar(50), "e7 64 00 09 04 d0 00 34");
        assertType(TypeInfo.nvarchar(TypeInfo.MAX), "e7 ff ff 09 04 d0 00 34");
        assertType(TypeInfo.varbinary(TypeInfo.MAX), "a5 ff ff");
        assertType(TypeInfo.datetime2(7), "2a 07");
        assertType(TypeInfo.date(), "28");
        assertType(TypeInfo.text(), "23 ff ff ff 7f 09 04 d0 00 34");
        assertType(TypeInfo.image(), "22 ff ff ff 7f");
        assertType(TypeInfo.sqlVariant(), "62 49 1f 00 00");
        assertType(TypeInfo.xml(), "f1 00");
        assertType(TypeInfo.json(), "f4");
        assertType(TypeInfo.vector(3), "f5 14 00 00");
        assertType(
                new TypeInfo(DataType.XML, 0, 0, 0, null, new TypeName("d", "s", "c")),
                "f1 01 01 64 00 01 73 00 01 00 63 00");
        assertType(TypeInfo.udt(new TypeName("d", "s", "t", "a")), "f0 ff ff 01 64 00 01 73 00 01 74 00 01 00 61 00");
    }

    @Test
    void clrTypeOfParameterIsNamedInShort() {
        TypeInfo udt = TypeInfo.udt(new TypeName("d", "s", "t"));
        ByteBuf out = Unpooled.buffer();
        udt.writeParameter(out);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(hex("f0 01 64 00 01 73 00 01 74 00"));
        assertThat(TypeInfo.readParameter(out, V)).isEqualTo(udt);
    }

    @Test
    void integers() {
        assertValue(TypeInfo.intN(1), (short) 255, "01 ff");
        assertValue(TypeInfo.intN(2), (short) -2, "02 fe ff");
        assertValue(TypeInfo.intN(4), 258, "04 02 01 00 00");
        assertValue(TypeInfo.intN(8), 258L, "08 02 01 00 00 00 00 00 00");
        assertValue(TypeInfo.intN(4), null, "00");
        assertValue(TypeInfo.fixed(DataType.INT4), -1, "ff ff ff ff");
        assertValue(TypeInfo.bitN(), true, "01 01");
    }

    @Test
    void decimalIsSignAndMagnitudeSizedByPrecision() {
        assertValue(TypeInfo.decimal(9, 2), new BigDecimal("1.23"), "05 01 7b 00 00 00");
        assertValue(TypeInfo.decimal(9, 2), new BigDecimal("-1.23"), "05 00 7b 00 00 00");
        assertValue(TypeInfo.decimal(10, 0), new BigDecimal("1"), "09 01 01 00 00 00 00 00 00 00");
        assertValue(
                TypeInfo.numeric(38, 0),
                new BigDecimal("99999999999999999999999999999999999999"),
                "11 01 ff ff ff ff 3f 22 8a 09 7a c4 86 5a a8 4c 3b 4b");
    }

    @Test
    void moneyIsTwoHalvesHighFirst() {
        assertValue(TypeInfo.moneyN(8), new BigDecimal("1.0000"), "08 00 00 00 00 10 27 00 00");
        assertValue(TypeInfo.moneyN(8), new BigDecimal("-0.0001"), "08 ff ff ff ff ff ff ff ff");
        assertValue(TypeInfo.moneyN(8), new BigDecimal("922337203685477.5807"), "08 ff ff ff 7f ff ff ff ff");
        assertValue(TypeInfo.moneyN(4), new BigDecimal("-214748.3648"), "04 00 00 00 80");
    }

    @Test
    void datetimeIsRoundedToThreeHundredthsOfASecond() {
        TypeInfo datetime = TypeInfo.datetimeN(8);
        assertValue(datetime, LocalDateTime.of(1900, 1, 1, 0, 0), "08 00 00 00 00 00 00 00 00");
        assertValue(datetime, LocalDateTime.of(1753, 1, 1, 0, 0), "08 46 2e ff ff 00 00 00 00");
        assertValue(datetime, LocalDateTime.of(2024, 2, 29, 23, 59, 59, 997_000_000), "08 25 b1 00 00 ff 81 8b 01");
        assertThat(roundTrip(datetime, LocalDateTime.of(2024, 2, 29, 23, 59, 59, 999_000_000)))
                .isEqualTo(LocalDateTime.of(2024, 3, 1, 0, 0));
        assertThat(roundTrip(datetime, LocalDateTime.of(2024, 1, 1, 0, 0, 0, 5_000_000)))
                .isEqualTo(LocalDateTime.of(2024, 1, 1, 0, 0, 0, 7_000_000));
        assertThat(roundTrip(datetime, LocalDateTime.of(2024, 1, 1, 0, 0, 0, 1_000_000)))
                .isEqualTo(LocalDateTime.of(2024, 1, 1, 0, 0));
    }

    @Test
    void smalldatetimeIsRoundedToTheMinute() {
        TypeInfo small = TypeInfo.datetimeN(4);
        assertValue(small, LocalDateTime.of(1900, 1, 2, 0, 1), "04 01 00 01 00");
        assertThat(roundTrip(small, LocalDateTime.of(2024, 1, 1, 12, 0, 29, 998_000_000)))
                .isEqualTo(LocalDateTime.of(2024, 1, 1, 12, 0));
        assertThat(roundTrip(small, LocalDateTime.of(2024, 1, 1, 23, 59, 29, 999_000_000)))
                .isEqualTo(LocalDateTime.of(2024, 1, 2, 0, 0));
    }

    @Test
    void datesAndTimesOfKatmai() {
        assertValue(TypeInfo.date(), LocalDate.of(1, 1, 1), "03 00 00 00");
        assertValue(TypeInfo.date(), LocalDate.of(9999, 12, 31), "03 da b9 37");
        assertValue(TypeInfo.time(0), LocalTime.of(0, 0, 1), "03 01 00 00");
        assertValue(TypeInfo.time(7), LocalTime.of(23, 59, 59, 999_999_900), "05 ff bf 69 2a c9");
        assertValue(TypeInfo.time(3), LocalTime.of(0, 0, 0, 1_000_000), "04 01 00 00 00");
        assertValue(TypeInfo.datetime2(0), LocalDateTime.of(1, 1, 2, 0, 0, 1), "06 01 00 00 01 00 00");
        assertThat(roundTrip(TypeInfo.time(0), LocalTime.of(23, 59, 59, 500_000_000)))
                .isEqualTo(LocalTime.MIDNIGHT);
        assertThat(roundTrip(TypeInfo.datetime2(0), LocalDateTime.of(2024, 12, 31, 23, 59, 59, 500_000_000)))
                .isEqualTo(LocalDateTime.of(2025, 1, 1, 0, 0));
    }

    @Test
    void offsetIsMinutesAndTheRestIsUtc() {
        assertValue(
                TypeInfo.datetimeoffset(0),
                OffsetDateTime.parse("0001-01-02T01:00:01+01:00"),
                "08 01 00 00 01 00 00 3c 00");
    }

    @Test
    void guidIsMixedEndian() {
        assertValue(
                TypeInfo.guid(),
                UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10"),
                "10 04 03 02 01 06 05 08 07 09 0a 0b 0c 0d 0e 0f 10");
    }

    @Test
    void textInTheCollationsCodePage() {
        assertValue(TypeInfo.varchar(10), "€é", "02 00 80 e9");
        assertValue(TypeInfo.varchar(10).with(Collation.UTF8), "é", "02 00 c3 a9");
        assertValue(TypeInfo.varchar(10).with(new Collation(0x0419, 0)), "Я", "01 00 df");
        assertValue(TypeInfo.nvarchar(10), "a€", "04 00 61 00 ac 20");
        assertValue(TypeInfo.nvarchar(10), "\uD800", "02 00 00 d8");
        assertValue(TypeInfo.nvarchar(10), null, "ff ff");
        assertValue(TypeInfo.character(3), "a  ", "03 00 61 20 20");
    }

    @Test
    void charAndBinaryAreFilledToTheirLength() {
        assertThat(roundTrip(TypeInfo.character(3), "a")).isEqualTo("a  ");
        assertThat(roundTrip(TypeInfo.nchar(3), "a")).isEqualTo("a  ");
        assertThat(roundTrip(TypeInfo.binary(3), new byte[] {1})).isEqualTo(new byte[] {1, 0, 0});
    }

    @Test
    void maxTypesAreChunked() {
        assertValue(TypeInfo.varchar(TypeInfo.MAX), "ab", "02 00 00 00 00 00 00 00 02 00 00 00 61 62 00 00 00 00");
        assertValue(TypeInfo.varchar(TypeInfo.MAX), "", "00 00 00 00 00 00 00 00 00 00 00 00");
        assertValue(TypeInfo.varchar(TypeInfo.MAX), null, "ff ff ff ff ff ff ff ff");
        assertThat(TypeInfo.varchar(TypeInfo.MAX)
                        .readValue(bytes("fe ff ff ff ff ff ff ff 01 00 00 00 61 01 00 00 00 62 00 00 00 00")))
                .isEqualTo("ab");
    }

    @Test
    void xmlLosesItsByteOrderMark() {
        assertThat(TypeInfo.xml().readValue(bytes("fe ff ff ff ff ff ff ff 04 00 00 00 ff fe 61 00 00 00 00 00")))
                .isEqualTo("a");
    }

    @Test
    void variantCarriesItsType() {
        assertValue(
                TypeInfo.sqlVariant(),
                new SqlVariant(TypeInfo.fixed(DataType.INT4), 1),
                "06 00 00 00 38 00 01 00 00 00");
        assertValue(
                TypeInfo.sqlVariant(),
                new SqlVariant(TypeInfo.nvarchar(1), "a"),
                "0b 00 00 00 e7 07 09 04 d0 00 34 02 00 61 00");
        assertValue(
                TypeInfo.sqlVariant(),
                new SqlVariant(TypeInfo.decimal(9, 1), new BigDecimal("0.1")),
                "09 00 00 00 6a 02 09 01 01 01 00 00 00");
        assertValue(TypeInfo.sqlVariant(), null, "00 00 00 00");
    }

    @Test
    void vectorHasItsOwnHeader() {
        ByteBuf out = Unpooled.buffer();
        TypeInfo.vector(1).writeValue(out, new float[] {1.0f});
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(hex("0c 00 a9 01 01 00 00 00 00 00 00 00 80 3f"));
        assertThat(TypeInfo.vector(1).readValue(out)).isEqualTo(new float[] {1.0f});
    }

    @Test
    void textInRowFollowsItsPointer() {
        ByteBuf out = Unpooled.buffer();
        TypeInfo.text().writeColumn(out, "ab");
        assertThat(out.readableBytes()).isEqualTo(1 + 16 + 8 + 4 + 2);
        assertThat(TypeInfo.text().readColumn(out)).isEqualTo("ab");
        TypeInfo.text().writeColumn(out, null);
        assertThat(out.readableBytes()).isEqualTo(1);
        assertThat(TypeInfo.text().readColumn(out)).isNull();
        assertValue(TypeInfo.text(), "ab", "02 00 00 00 61 62");
        assertValue(TypeInfo.text(), null, "ff ff ff ff");
    }

    @Test
    void tableValueCarriesOnlyTheColumnsThatAreNotDefaulted() {
        TableValue.Column id = new TableValue.Column("", 0, TableValue.Column.DEFAULT, TypeInfo.intN(4));
        TableValue.Column name = new TableValue.Column("", 0, 1, TypeInfo.nvarchar(10));
        TableValue table = new TableValue(List.of(id, name), List.of(new Object[] {"a"}, new Object[] {null}));
        TypeInfo type = TypeInfo.table(new TypeName("", "dbo", "Names"));
        ByteBuf out = Unpooled.buffer();
        type.writeValue(out, table);
        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo(hex("02 00  00 00 00 00 00 02 26 04 00  00 00 00 00 01 00 e7 14 00 09 04 d0 00 34 00  00"
                        + "01 02 00 61 00  01 ff ff  00"));
        ByteBuf copy = out.copy();
        TableValue read = (TableValue) type.readValue(out);
        assertThat(read.columns()).isEqualTo(table.columns());
        assertThat(read.rows()).containsExactly(new Object[] {"a"}, new Object[] {null});
        type.skipValue(copy);
        assertThat(copy.isReadable()).isFalse();
        copy.release();
    }

    @Test
    void typesNewerThanTheVersionAreRefused() {
        assertSince(TdsVersion.V7_1, TdsVersion.V7_2, "f1 00", TypeInfo.xml());
        assertSince(TdsVersion.V7_2, TdsVersion.V7_3A, "28", TypeInfo.date());
        assertSince(TdsVersion.V7_1, TdsVersion.V7_2, "a5 ff ff", TypeInfo.varbinary(TypeInfo.MAX));
        assertSince(TdsVersion.V7_3B, TdsVersion.V7_4, "f4", TypeInfo.json());
    }

    private static void assertSince(TdsVersion before, TdsVersion first, String hex, TypeInfo type) {
        assertThatThrownBy(() -> TypeInfo.read(bytes(hex), before)).isInstanceOf(ProtocolException.class);
        assertThat(TypeInfo.read(bytes(hex), first)).isEqualTo(type);
    }

    @Test
    void lengthsThatLieAreProtocolErrors() {
        assertThatThrownBy(() -> TypeInfo.nvarchar(10).readValue(bytes("08 00 61")))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> TypeInfo.intN(4).readValue(bytes("03 00 00 00")))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> TypeInfo.guid().readValue(bytes("01 00"))).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> TypeInfo.image().readValue(bytes("ff ff ff 7f")))
                .isInstanceOf(ProtocolException.class);
        assertThatThrownBy(
                        () -> TypeInfo.varchar(TypeInfo.MAX).readValue(bytes("fe ff ff ff ff ff ff ff ff ff ff ff 00")))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void valuesThatDoNotFitAreTheCallersFault() {
        ByteBuf out = Unpooled.buffer();
        assertThatThrownBy(() -> TypeInfo.intN(1).writeValue(out, (short) -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TypeInfo.decimal(3, 1).writeValue(out, new BigDecimal("100")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TypeInfo.nvarchar(1).writeValue(out, "ab"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TypeInfo.intN(4).writeValue(out, "1")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void everyCodeLeadsBackToItsType(DataType type) {
        assertThat(DataType.of(type.code())).isEqualTo(type);
    }

    private static Object roundTrip(TypeInfo type, Object value) {
        ByteBuf out = Unpooled.buffer();
        type.writeValue(out, value);
        return type.readValue(out);
    }

    private static void assertType(TypeInfo type, String hex) {
        ByteBuf out = Unpooled.buffer();
        type.write(out);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(hex(hex));
        assertThat(TypeInfo.read(out, V)).isEqualTo(type);
        assertThat(out.isReadable()).isFalse();
    }

    private static void assertValue(TypeInfo type, Object value, String hex) {
        ByteBuf out = Unpooled.buffer();
        type.writeValue(out, value);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(hex(hex));
        ByteBuf again = out.copy();
        assertThat(type.readValue(out)).isEqualTo(value);
        assertThat(out.isReadable()).isFalse();
        type.skipValue(again);
        assertThat(again.isReadable()).isFalse();
        again.release();
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex(hex)));
    }

    private static String hex(String hex) {
        return hex.replace(" ", "");
    }
}
