package dev.comporta.console.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.Host;
import dev.comporta.console.Outcome;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectTest {
    private final Host host = new Host();

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            SELECT 1                                              => 1
            SELECT 7 / 2, 7 % 2, -7 / 2, 7 / 2.0                  => 3|1|-3|3.5
            SELECT 2 + 3 * 4 - 1                                  => 13
            SELECT (2 + 3) * 4                                    => 20
            SELECT - - 3, +4                                      => 3|4
            SELECT 'a' + N'b', 'it''s'                            => ab|it's
            SELECT '4' + 5                                        => 9
            SELECT 2147483647 + CAST(1 AS BIGINT)                 => 2147483648
            SELECT 9223372036854775807                            => 9223372036854775807
            SELECT 1.5e3, .5                                      => 1500|0.5
            SELECT NULL + 1, 'a' + NULL, NULL                     => NULL|NULL|NULL
            SELECT [x] = 1, 2 AS "y z", 3 'z'                     => 1|2|3
            SELECT 1 WHERE 0 = 1                                  => ``
            SELECT TRUE, FALSE                                    => 1|0
            SELECT @@SPID, @@SERVERNAME, @@TRANCOUNT, @@VERSION   => 51|proxy-1|0|Comporta 1.0
            SELECT DB_NAME(), SUSER_NAME(), SUSER_SNAME(), SYSTEM_USER, SCHEMA_NAME() => comporta|ops|ops|ops|dbo
            SELECT SERVERPROPERTY('ProductVersion'), SERVERPROPERTY('nonsense') => 16.0.1000.6|NULL
            SELECT CAST(SERVERPROPERTY('EngineEdition') AS INT)   => 2
            SELECT 1 UNION SELECT 1 UNION ALL SELECT 2            => 1; 2
            SELECT NULL UNION ALL SELECT 'a' UNION ALL SELECT NULL  => NULL; a; NULL
            SELECT 'b' x UNION ALL SELECT 'a' ORDER BY x          => a; b
            SELECT (SELECT COUNT(*) FROM clients)                 => 4
            """)
    void expressionsWithoutAView(String query, String answer) {
        assertThat(host.ask(query)).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            UPPER('aä'), LOWER('AÄ'), LEN('ab  ')                    => AÄ|aä|2
            LEFT('abc', 2), RIGHT('abc', 2), SUBSTRING('abc', 2, 9)  => ab|bc|bc
            SUBSTRING('abc', -1, 3), LEFT('a', 5)                    => a|a
            CHARINDEX('B', 'abc'), LTRIM(' a'), TRIM(' a '), QUOTENAME('a]b') => 2|a|a|[a]]b]
            CONCAT('a', NULL, 1)                                     => a1
            ISNULL(NULL, 'x'), COALESCE(NULL, NULL, 3), NULLIF(1, 1), NULLIF(1, 2) => x|3|NULL|1
            IIF(1 = 1, 'yes', 'no'), IIF(NULL = 1, 'yes', 'no')      => yes|no
            ABS(-3), ROUND(2.567, 1), ROUND(1250, -2), FLOOR(-1.5), CEILING(1.2) => 3|2.6|1300|-2|2
            CASE WHEN 1 = 2 THEN 'a' WHEN 2 = 2 THEN 'b' ELSE 'c' END => b
            CASE 3 WHEN 1 THEN 'a' WHEN 3 THEN 'c' END               => c
            CASE 3 WHEN 1 THEN 'a' END                               => NULL
            CASE NULL WHEN NULL THEN 'same' ELSE 'unknown' END       => unknown
            CASE WHEN 1 = 1 THEN 1 ELSE 2.5 END / 2                  => 0.5
            DATEDIFF(second, '2026-11-17 11:59:30', GETDATE())       => 30
            DATEDIFF(minute, '2026-11-17 11:58:59', SYSUTCDATETIME()) => 2
            DATEDIFF(ms, '2026-11-17 11:59:59.750', GETUTCDATE())    => 250
            DATEDIFF(year, '2025-12-31', '2026-01-01')               => 1
            DATEADD(hour, -1, GETDATE())                             => 2026-11-17 11:00:00
            CAST('12' AS INT), CAST(12.9 AS INT), CAST(-12.9 AS INT) => 12|12|-12
            CAST('true' AS BIT), CAST(5 AS BIT), CAST(0 AS BIT)      => 1|1|0
            CAST(1.5 AS NVARCHAR(10)), CAST('abc' AS VARCHAR(2))     => 1.5|ab
            CONVERT(NVARCHAR, GETDATE(), 126)                        => 2026-11-17T12:00:00
            CONVERT(DATE, GETDATE())                                 => 2026-11-17 00:00:00
            TRY_CAST('x' AS INT), TRY_CONVERT(INT, '7')              => NULL|7
            OBJECT_NAME(OBJECT_ID('sys.clients')), OBJECT_ID('nothing') => clients|NULL
            SCHEMA_ID('sys'), SCHEMA_NAME(1), DB_ID(), DB_ID('other'), TYPE_NAME(56) => 4|dbo|5|NULL|int
            """)
    void functions(String expressions, String answer) {
        assertThat(host.ask("SELECT " + expressions)).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            SELECT server_name FROM sys.remote_pool_stats               => alpha; beta; gamma-1; Delta_2
            SELECT server_name FROM dbo.remote_pool_stats WHERE active = 2 => beta
            SELECT server_name FROM comporta.sys.remote_pool_stats p WHERE p.active > 2 => alpha; Delta_2
            SELECT server_name FROM [comporta]..remote_pool_stats WHERE healthy = 0 => gamma-1
            SELECT server_name FROM remote_pool_stats WHERE healthy = 'true' AND active <> 5 => beta
            SELECT server_name FROM remote_pool_stats WHERE healthy = FALSE => gamma-1
            SELECT server_name FROM remote_pool_stats WHERE server_name = 'ALPHA  ' => alpha
            SELECT server_name FROM remote_pool_stats WHERE server_name IN ('beta', 'x', NULL) => beta
            SELECT server_name FROM remote_pool_stats WHERE server_name NOT IN ('beta', NULL) => ``
            SELECT server_name FROM remote_pool_stats WHERE avg_wait BETWEEN 0.25 AND 1.5 => alpha; beta
            SELECT server_name FROM remote_pool_stats WHERE NOT avg_wait > 1 => beta
            SELECT server_name FROM remote_pool_stats WHERE avg_wait > 1 OR reason IS NOT NULL => alpha; gamma-1; Delta_2
            SELECT server_name FROM remote_pool_stats WHERE reason = NULL OR reason <> NULL => ``
            SELECT server_name FROM remote_pool_stats WHERE server_name LIKE '%[_]2' => Delta_2
            SELECT server_name FROM remote_pool_stats WHERE server_name LIKE '%!_2' ESCAPE '!' => Delta_2
            SELECT server_name FROM remote_pool_stats WHERE server_name NOT LIKE '%a%' => ``
            SELECT server_name FROM remote_pool_stats WHERE DATEDIFF(second, last_activity, GETDATE()) >= 90 => alpha
            SELECT server_name FROM remote_pool_stats WHERE last_activity >= '2026-11-17 12:00' => Delta_2
            SELECT server_name FROM remote_pool_stats ORDER BY server_name => alpha; beta; Delta_2; gamma-1
            SELECT server_name FROM remote_pool_stats ORDER BY avg_wait, 1 => gamma-1; beta; alpha; Delta_2
            SELECT server_name FROM remote_pool_stats ORDER BY avg_wait DESC => Delta_2; alpha; beta; gamma-1
            SELECT server_name n, active FROM remote_pool_stats ORDER BY active DESC, n DESC => Delta_2|5; alpha|5; beta|2; gamma-1|0
            SELECT TOP 2 server_name FROM remote_pool_stats ORDER BY acquires DESC => gamma-1; alpha
            SELECT TOP (1) server_name FROM remote_pool_stats => alpha
            SELECT TOP 0 server_name FROM remote_pool_stats => ``
            SELECT DISTINCT active FROM remote_pool_stats ORDER BY active => 0; 2; 5
            SELECT DISTINCT c.* FROM clients c ORDER BY c.client_id DESC => 4|NULL|lost; 3|beta|batch; 2|alpha|APP; 1|alpha|app
            SELECT DISTINCT server_name FROM clients c ORDER BY c.server_name DESC => beta; alpha; NULL
            SELECT DISTINCT login FROM clients => app; batch; lost
            SELECT p.active * 2 AS twice FROM remote_pool_stats p WHERE p.server_name = 'beta' => 4
            SELECT TOP 1 c.*, p.active FROM clients c JOIN remote_pool_stats p ON p.server_name = c.server_name => 1|alpha|app|5
            SELECT c.client_id, p.active FROM clients c LEFT JOIN remote_pool_stats p ON c.server_name = p.server_name AND p.active > 2 => 1|5; 2|5; 3|NULL; 4|NULL
            SELECT COUNT(*) FROM clients a, clients b => 16
            SELECT COUNT(*) FROM clients a CROSS JOIN clients b WHERE a.login = b.login => 6
            SELECT client_id FROM clients c WHERE EXISTS (SELECT 1 FROM remote_pool_stats p WHERE p.server_name = c.server_name AND p.active = 2) => 3
            SELECT client_id FROM clients WHERE server_name IN (SELECT server_name FROM remote_pool_stats WHERE active = 5) => 1; 2
            SELECT client_id FROM clients WHERE server_name NOT IN (SELECT reason FROM remote_pool_stats) => ``
            SELECT n FROM (SELECT server_name AS n FROM remote_pool_stats WHERE active = 5) x ORDER BY n DESC => Delta_2; alpha
            SELECT server_name, (SELECT COUNT(*) FROM clients c WHERE c.server_name = p.server_name) FROM remote_pool_stats p WHERE healthy = 1 => alpha|2; beta|1; Delta_2|0
            SELECT server_name COLLATE Latin1_General_BIN FROM remote_pool_stats WITH (NOLOCK) WHERE active = 2 => beta
            """)
    void rowsOfViews(String query, String answer) {
        assertThat(host.ask(query)).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            SELECT COUNT(*), COUNT(reason), COUNT(DISTINCT active), SUM(active), AVG(active) FROM remote_pool_stats => 4|1|3|12|3
            SELECT MIN(server_name), MAX(acquires), AVG(avg_wait), MIN(last_activity) FROM remote_pool_stats => alpha|3000000000|1.9166666666666667|2026-11-17 11:58:30
            SELECT COUNT(*), SUM(active), MAX(active) FROM remote_pool_stats WHERE 1 = 0 => 0|NULL|NULL
            SELECT active, COUNT(*) FROM remote_pool_stats GROUP BY active ORDER BY active => 0|1; 2|1; 5|2
            SELECT active, COUNT(*) FROM remote_pool_stats WHERE 1 = 0 GROUP BY active => ``
            SELECT login, COUNT(*) AS n FROM clients GROUP BY login HAVING COUNT(*) > 1 => app|2
            SELECT healthy, COUNT(*) n FROM remote_pool_stats GROUP BY healthy ORDER BY n DESC => 1|3; 0|1
            SELECT server_name FROM clients GROUP BY server_name ORDER BY COUNT(*) DESC, server_name => alpha; NULL; beta
            SELECT active + 1, SUM(acquires) / COUNT(*) FROM remote_pool_stats GROUP BY active + 1 ORDER BY 1 => 1|3000000000; 3|8901; 6|7620
            SELECT CASE WHEN active > 2 THEN 'busy' ELSE 'calm' END s, COUNT(*) FROM remote_pool_stats GROUP BY CASE WHEN active > 2 THEN 'busy' ELSE 'calm' END ORDER BY s => busy|2; calm|2
            SELECT p.server_name, COUNT(c.client_id) FROM remote_pool_stats p LEFT JOIN clients c ON c.server_name = p.server_name GROUP BY p.Server_Name ORDER BY 2 DESC, 1 => alpha|2; beta|1; Delta_2|0; gamma-1|0
            SELECT STRING_AGG(login, ', ') FROM clients => app, APP, batch, lost
            SELECT COUNT(*) + 1 FROM clients HAVING COUNT(*) = 4 => 5
            """)
    void groupsAndAggregates(String query, String answer) {
        assertThat(host.ask(query)).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            SELECT 1 / 0                                   => 8134 at 1:10: Divide by zero error encountered.
            SELECT 1.0 / 0                                 => 8134 at 1:12: Divide by zero error encountered.
            SELECT 2147483647 + 1                          => 8115 at 1:19: Arithmetic overflow error converting expression to data type INT.
            SELECT 9223372036854775807 + 1                 => 8115 at 1:28: Arithmetic overflow error converting expression to data type BIGINT.
            SELECT CAST('x1' AS INT)                       => 245 at 1:8: Conversion failed when converting the nvarchar value 'x1' to data type int.
            SELECT 1 FROM clients WHERE login = 5          => 245 at 1:35: Conversion failed when converting the nvarchar value 'app' to data type int.
            SELECT * FROM sys.remote_pool_stat             => 208 at 1:15: Invalid object name 'sys.remote_pool_stat'. Did you mean 'remote_pool_stats'?
            SELECT * FROM zzzzzzzzzzzzzzz                  => 208 at 1:15: Invalid object name 'zzzzzzzzzzzzzzz'. SHOW HELP lists all views.
            SELECT * FROM master.sys.databases             => 911 at 1:15: Database 'master' does not exist here. The console's is 'comporta'.
            SELECT logim FROM clients                      => 207 at 1:8: Invalid column name 'logim'. Did you mean 'login'?
            SELECT c.login FROM clients d                  => 4104 at 1:8: No view in FROM is called 'c'.
            SELECT server_name FROM clients, remote_pool_stats => 209 at 1:8: Ambiguous column name 'server_name'. Write the view's name before it.
            SELECT login, COUNT(*) FROM clients            => 8120 at 1:8: Column 'login' is neither in GROUP BY nor inside an aggregate function such as MAX.
            SELECT 1 FROM clients WHERE COUNT(*) > 1       => 147 at 1:29: COUNT may stand in the select list, HAVING and ORDER BY only.
            SELECT 1 FROM clients WHERE login              => 4145 at 1:29: A value stands where a condition is expected. Compare it, as in healthy = 1.
            SELECT a FROM clients ORDER BY 3               => 207 at 1:8: Invalid column name 'a'.
            SELECT login FROM clients ORDER BY 3           => 108 at 1:36: ORDER BY position must be between 1 and 1, or a name.
            SELECT DISTINCT login FROM clients ORDER BY client_id => 145 at 1:45: With SELECT DISTINCT, ORDER BY takes only columns of the select list.
            SELECT UPER('a')                               => 195 at 1:8: 'UPER' is not a function of the console. Did you mean UPPER?
            SELECT UPPER('a', 'b')                         => 174 at 1:8: UPPER takes 1 argument, not 2.
            SELECT @nothing                                => 137 at 1:8: No value is given for @nothing.
            SELECT @@VERSIO                                => 137 at 1:8: The console does not know @@versio. Did you mean @@version?
            SELECT CAST(1 AS TEXTT)                        => 243 at 1:18: Type textt is not a defined system type. Did you mean text?
            SELECT (SELECT client_id FROM clients)         => 512 at 1:8: The subquery returned more than one row where one value is expected.
            SELECT GETDATE() + 1                           => 8117 at 1:18: Operand data type datetime2 is invalid for operator +. Use DATEADD or DATEDIFF.
            SELECT DATEDIFF(fortnight, GETDATE(), GETDATE()) => 155 at 1:17: 'fortnight' is not a part of a date for DATEDIFF. Write second, millisecond, minute, hour or day.
            SELECT 1 UNION SELECT 1, 2                     => 205 at 1:16: All queries of a UNION must return the same number of columns.
            """)
    void errorsSayWhatAndWhere(String query, String answer) {
        assertThat(host.ask(query)).isEqualTo(answer);
    }

    @Test
    void columnsHaveNamesTypesAndDescriptions() {
        Outcome.Rows rows = (Outcome.Rows)
                host.execute("SELECT Active, active + 1, COUNT(*) AS n, NULL, acquires / 2.0, MAX(healthy) m"
                                + " FROM remote_pool_stats GROUP BY active, acquires")
                        .getFirst();
        assertThat(rows.columns())
                .containsExactly(
                        new Column("active", ColumnType.INT, "Server connections in use."),
                        Column.of("", ColumnType.INT),
                        Column.of("n", ColumnType.INT),
                        Column.of("", ColumnType.INT),
                        Column.of("", ColumnType.FLOAT),
                        Column.of("m", ColumnType.BIT));
    }

    @Test
    void typesAreKnownWithoutRows() {
        Outcome.Rows rows =
                (Outcome.Rows) host.execute("SELECT * FROM clients WHERE 1 = 0").getFirst();
        assertThat(rows.rows()).isEmpty();
        assertThat(rows.columns().stream().map(Column::type).toList())
                .isEqualTo(List.of(ColumnType.INT, ColumnType.NVARCHAR, ColumnType.NVARCHAR));
    }

    @Test
    void unknownIsNeitherTrueNorFalse() {
        String[] truths = {"1 = 1", "1 = 0", "NULL = 1"};
        String[] and = {"TFU", "FFF", "UFU"};
        String[] or = {"TTT", "TFU", "TUU"};
        for (int a = 0; a < 3; a++) {
            assertThat(truth("NOT " + truths[a])).isEqualTo("FTU".substring(a, a + 1));
            for (int b = 0; b < 3; b++) {
                assertThat(truth(truths[a] + " AND " + truths[b])).isEqualTo(and[a].substring(b, b + 1));
                assertThat(truth(truths[a] + " OR " + truths[b])).isEqualTo(or[a].substring(b, b + 1));
            }
        }
    }

    private String truth(String condition) {
        return host.ask(
                "SELECT CASE WHEN " + condition + " THEN 'T' WHEN NOT (" + condition + ") THEN 'F' ELSE 'U' END");
    }
}
