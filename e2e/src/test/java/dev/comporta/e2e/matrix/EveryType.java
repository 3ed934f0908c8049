package dev.comporta.e2e.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table with a column of every common type, and what a client must read from it: a usual value, the least, the
 * greatest, and NULL. The texts are SQL Server's own conversions, with zeros at the end of a second's fraction left off.
 */
enum EveryType {
    BIT("bit", Kind.TEXT, "1", "true", "0", "false", "1", "true"),
    TINYINT("tinyint", Kind.TEXT, "7", "7", "0", "0", "255", "255"),
    SMALLINT("smallint", Kind.TEXT, "1234", "1234", "-32768", "-32768", "32767", "32767"),
    INT("int", Kind.TEXT, "123456789", "123456789", "-2147483648", "-2147483648", "2147483647", "2147483647"),
    BIGINT(
            "bigint",
            Kind.TEXT,
            "1234567890123456789",
            "1234567890123456789",
            "-9223372036854775808",
            "-9223372036854775808",
            "9223372036854775807",
            "9223372036854775807"),
    DECIMAL(
            "decimal(18,4)",
            Kind.DECIMAL,
            "12345.6789",
            "12345.6789",
            "-99999999999999.9999",
            "-99999999999999.9999",
            "0",
            "0.0000"),
    LONG_DECIMAL(
            "decimal(38,10)",
            Kind.DECIMAL,
            "1.5",
            "1.5000000000",
            "-9999999999999999999999999999.9999999999",
            "-9999999999999999999999999999.9999999999",
            "9999999999999999999999999999.9999999999",
            "9999999999999999999999999999.9999999999"),
    NUMERIC("numeric(9,2)", Kind.DECIMAL, "1.2", "1.20", "-9999999.99", "-9999999.99", "9999999.99", "9999999.99"),
    SMALLMONEY(
            "smallmoney",
            Kind.DECIMAL,
            "1.2345",
            "1.2345",
            "-214748.3648",
            "-214748.3648",
            "214748.3647",
            "214748.3647"),
    MONEY(
            "money",
            Kind.DECIMAL,
            "1234.5678",
            "1234.5678",
            "-922337203685477.5808",
            "-922337203685477.5808",
            "922337203685477.5807",
            "922337203685477.5807"),
    REAL("real", Kind.REAL, "0.15625", "0.15625", "-3.4028235E38", "-3.4028235E38", "3.4028235E38", "3.4028235E38"),
    FLOAT(
            "float",
            Kind.FLOAT,
            "1E-1",
            "0.1",
            "-1.7976931348623157E308",
            "-1.7976931348623157E308",
            "1.7976931348623157E308",
            "1.7976931348623157E308"),
    DATE("date", Kind.TEXT, "'2024-02-29'", "2024-02-29", "'0001-01-01'", "0001-01-01", "'9999-12-31'", "9999-12-31"),
    TIME(
            "time(7)",
            Kind.TIME,
            "'12:34:56.7890120'",
            "12:34:56.789012",
            "'00:00:00'",
            "00:00:00",
            "'23:59:59.9999999'",
            "23:59:59.9999999"),
    SHORT_TIME("time(0)", Kind.TIME, "'12:34:56'", "12:34:56", "'00:00:00'", "00:00:00", "'23:59:59'", "23:59:59"),
    DATETIME(
            "datetime",
            Kind.TIME,
            "'2024-02-29T12:34:56.790'",
            "2024-02-29 12:34:56.79",
            "'1753-01-01T00:00:00'",
            "1753-01-01 00:00:00",
            "'9999-12-31T23:59:59.997'",
            "9999-12-31 23:59:59.997"),
    SMALLDATETIME(
            "smalldatetime",
            Kind.TIME,
            "'2024-02-29T12:34:00'",
            "2024-02-29 12:34:00",
            "'1900-01-01T00:00:00'",
            "1900-01-01 00:00:00",
            "'2079-06-06T23:59:00'",
            "2079-06-06 23:59:00"),
    DATETIME2(
            "datetime2(7)",
            Kind.TIME,
            "'2024-02-29T12:34:56.7890120'",
            "2024-02-29 12:34:56.789012",
            "'0001-01-01T00:00:00'",
            "0001-01-01 00:00:00",
            "'9999-12-31T23:59:59.9999999'",
            "9999-12-31 23:59:59.9999999"),
    SHORT_DATETIME2(
            "datetime2(3)",
            Kind.TIME,
            "'2024-02-29T12:34:56.789'",
            "2024-02-29 12:34:56.789",
            "'0001-01-01T00:00:00'",
            "0001-01-01 00:00:00",
            "'9999-12-31T23:59:59.999'",
            "9999-12-31 23:59:59.999"),
    DATETIMEOFFSET(
            "datetimeoffset(7)",
            Kind.OFFSET_TIME,
            "'2024-02-29 12:34:56.7890120 +05:30'",
            "2024-02-29 12:34:56.789012 +05:30",
            "'0001-01-01 00:00:00 -14:00'",
            "0001-01-01 00:00:00 -14:00",
            "'9999-12-31 23:59:59.9999999 +14:00'",
            "9999-12-31 23:59:59.9999999 +14:00"),
    CHAR("char(10)", Kind.TEXT, "'abc'", "abc       ", "''", "          ", "'zzzzzzzzzz'", "zzzzzzzzzz"),
    VARCHAR("varchar(50)", Kind.TEXT, "'olá, ação'", "olá, ação", "''", "", "'€ tail  '", "€ tail  "),
    LONG_VARCHAR("varchar(max)", Kind.TEXT, "'as long as it likes'", "as long as it likes", "''", "", "'ÿ'", "ÿ"),
    TEXT("text", Kind.TEXT, "'old and long'", "old and long", "''", "", "'ÿ'", "ÿ"),
    NCHAR("nchar(10)", Kind.TEXT, "N'añb'", "añb       ", "N''", "          ", "N'日本語日本語日本語日'", "日本語日本語日本語日"),
    NVARCHAR("nvarchar(50)", Kind.TEXT, "N'日本語 😀'", "日本語 😀", "N''", "", "N'it''s'", "it's"),
    LONG_NVARCHAR("nvarchar(max)", Kind.TEXT, "N'Ελλάδα'", "Ελλάδα", "N''", "", "N'עברית'", "עברית"),
    NTEXT("ntext", Kind.TEXT, "N'Ελλάδα'", "Ελλάδα", "N''", "", "N'עברית'", "עברית"),
    BINARY(
            "binary(8)",
            Kind.TEXT,
            "0x0102",
            "0x0102000000000000",
            "0x00",
            "0x0000000000000000",
            "0xFFFFFFFFFFFFFFFF",
            "0xFFFFFFFFFFFFFFFF"),
    VARBINARY("varbinary(50)", Kind.TEXT, "0xDEADBEEF", "0xDEADBEEF", "0x", "0x", "0xFF00", "0xFF00"),
    LONG_VARBINARY("varbinary(max)", Kind.TEXT, "0xDEADBEEF", "0xDEADBEEF", "0x", "0x", "0xFF00", "0xFF00"),
    IMAGE("image", Kind.TEXT, "0xDEADBEEF", "0xDEADBEEF", "0x", "0x", "0xFF00", "0xFF00"),
    UNIQUEIDENTIFIER(
            "uniqueidentifier",
            Kind.TEXT,
            "'6F9619FF-8B86-D011-B42D-00C04FC964FF'",
            "6F9619FF-8B86-D011-B42D-00C04FC964FF",
            "'00000000-0000-0000-0000-000000000000'",
            "00000000-0000-0000-0000-000000000000",
            "'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"),
    XML(
            "xml",
            Kind.TEXT,
            "N'<gate open=\"1\">água</gate>'",
            "<gate open=\"1\">água</gate>",
            "N'<a/>'",
            "<a/>",
            "N'<b>2</b>'",
            "<b>2</b>"),
    SQL_VARIANT(
            "sql_variant",
            Kind.TEXT,
            "CAST(42 AS int)",
            "42",
            "CAST('plain' AS varchar(10))",
            "plain",
            "CAST(N'日本' AS nvarchar(10))",
            "日本");

    /** What the matrix must know of a type to compare what drivers in several languages make of it. */
    enum Kind {
        TEXT,
        DECIMAL,
        REAL,
        FLOAT,
        TIME,
        OFFSET_TIME
    }

    private final String type;
    private final Kind kind;
    private final List<String> literals;
    private final List<String> shown;

    EveryType(String type, Kind kind, String... literalsAndTexts) {
        this.type = type;
        this.kind = kind;
        this.literals = everySecond(literalsAndTexts, 0);
        this.shown = everySecond(literalsAndTexts, 1);
    }

    private static List<String> everySecond(String[] values, int first) {
        return IntStream.iterate(first, at -> at < values.length, at -> at + 2)
                .mapToObj(at -> values[at])
                .toList();
    }

    String column() {
        return "c_" + name().toLowerCase(Locale.ROOT);
    }

    /** The statements that make the table and fill it. */
    static List<String> setup() {
        List<String> statements = new ArrayList<>();
        statements.add("CREATE TABLE every_type (id int NOT NULL PRIMARY KEY, "
                + list(type -> true, type -> type.column() + " " + type.type + " NULL") + ")");
        for (int row = 0; row < 3; row++) {
            int at = row;
            statements.add("INSERT INTO every_type (id, " + list(type -> true, EveryType::column) + ") VALUES ("
                    + (row + 1) + ", " + list(type -> true, type -> type.literals.get(at)) + ")");
        }
        statements.add("INSERT INTO every_type (id) VALUES (4)");
        return statements;
    }

    /** The columns that a driver with these traits can read, as its SELECT lists them. */
    static String columns(Traits traits) {
        return list(traits::reads, EveryType::column);
    }

    private static String list(Predicate<EveryType> which, Function<EveryType, String> text) {
        return Arrays.stream(values()).filter(which).map(text).collect(Collectors.joining(", "));
    }

    /** The facts that a driver with these traits must find. */
    static List<String> facts(Traits traits) {
        List<String> facts = new ArrayList<>();
        for (int row = 0; row < 4; row++) {
            for (EveryType type : values()) {
                if (traits.reads(type)) {
                    String value = row < 3 ? traits.expected(type.kind, type.shown.get(row)) : "NULL";
                    facts.add("row " + (row + 1) + " " + type.column() + "=" + value);
                }
            }
        }
        return facts;
    }

    /** Facts as a driver found them, in the form in which they can be compared with {@link #facts}. */
    static List<String> comparable(List<String> found, Traits traits) {
        return found.stream().map(fact -> comparable(fact, traits)).toList();
    }

    private static String comparable(String fact, Traits traits) {
        int equals = fact.indexOf('=');
        String name = fact.substring(0, equals);
        String value = fact.substring(equals + 1);
        for (EveryType type : values()) {
            if (name.endsWith(" " + type.column()) && !value.equals("NULL")) {
                return name + "=" + traits.comparable(type.kind, value);
            }
        }
        return fact;
    }
}
