package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions and their types: each as {@code expression # type # value}. */
final class FunctionTest extends EngineFixture {
    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '`', commentCharacter = '~', textBlock = """
        7 / 2                                     # int            # 3
        7 % 4 + 2 * 3                             # int            # 9
        1.5 * 2                                   # numeric(4,1)   # 3.0
        1.0 / 3                                   # numeric(7,6)   # 0.333333
        'a' + 'b'                                 # varchar(2)     # ab
        N'a' + 'b'                                # nvarchar(2)    # ab
        '1' + 1                                   # int            # 2
        5 & 6 | 8                                 # int            # 12
        -(-5)                                     # int            # 5
        CAST(1 AS bit)                            # bit            # 1
        CAST(2.567 AS decimal(5,2))               # decimal(5,2)   # 2.57
        CAST(2.9 AS int)                          # int            # 2
        CAST(12.5 AS varchar(10))                 # varchar(10)    # 12.5
        CAST(1e10 AS varchar(20))                 # varchar(20)    # 1e+010
        CAST('20240229' AS datetime)              # datetime       # 2024-02-29T00:00
        CONVERT(varchar(10), CAST('2024-02-29' AS date), 103) # varchar(10) # 29/02/2024
        CONVERT(varchar(30), CAST('2024-02-09 13:05:06.123' AS datetime), 0) # varchar(30) # Feb  9 2024  1:05PM
        CONVERT(varchar(30), CAST('2024-02-09 13:05:06.123' AS datetime), 121) # varchar(30) # 2024-02-09 13:05:06.123
        CAST(0x4142 AS varchar(5))                # varchar(5)     # AB
        CAST('AB' AS varbinary(5))                # varbinary(5)   # 0x4142
        CAST(258 AS varbinary(4))                 # varbinary(4)   # 0x00000102
        TRY_CAST('x' AS int)                      # int            # NULL
        ISNULL(NULL, 5)                           # int            # 5
        COALESCE(NULL, 2, 3)                      # int            # 2
        NULLIF(1, 1)                              # int            # NULL
        IIF(1 < 2, 'y', 'no')                     # varchar(2)     # y
        CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END # varchar(1)    # b
        LEN('abc  ')                              # int            # 3
        DATALENGTH(N'abc')                        # int            # 6
        SUBSTRING('hello', 2, 3)                  # varchar(5)     # ell
        LEFT('hello', 2)                          # varchar(5)     # he
        RIGHT('hello', 2)                         # varchar(5)     # lo
        CHARINDEX('L', 'hello')                   # int            # 3
        REPLACE('aXbx', 'x', '-')                 # varchar(8000)  # a-b-
        STUFF('abcd', 2, 2, 'Z')                  # varchar(8000)  # aZd
        UPPER('a') + LOWER('B')                   # varchar(2)     # Ab
        CONCAT('a', NULL, 1)                      # varchar(8000)  # a1
        DATEADD(month, 1, CAST('2024-01-31' AS date)) # date       # 2024-02-29
        DATEDIFF(day, '2024-01-01 23:59', '2024-01-02 00:01') # int # 1
        DATEPART(weekday, CAST('2024-02-29' AS date)) # int        # 5
        YEAR('2024-02-29')                        # int            # 2024
        ROUND(2.345, 2)                           # numeric(4,3)   # 2.350
        ABS(-5)                                   # int            # 5
        FLOOR(2.7)                                # numeric(2,0)   # 2
        CEILING(CAST(-2.7 AS decimal(5,2)))       # decimal(5,0)   # -2
        FLOOR($2.7)                               # money          # 2.0000
        CEILING(CAST(1 AS bit))                   # float          # 1
        QUOTENAME('a]b')                          # nvarchar(258)  # [a]]b]
        OBJECT_ID('nosuch')                       # int            # NULL
        $12.5                                     # money          # 12.5000
        0xFF                                      # varbinary(1)   # 0xFF
        @@MAX_PRECISION                           # tinyint        # 38
        """)
    void hasTypeAndValue(String expression, String type, String value) {
        Recording recording = run("SELECT " + expression + " AS x");
        assertThat(recording.errors()).isEmpty();
        assertThat(Recording.typeName(recording.columns().getFirst().type())).isEqualTo(type);
        assertThat(recording.rowLines()).containsExactly(value);
    }
}
