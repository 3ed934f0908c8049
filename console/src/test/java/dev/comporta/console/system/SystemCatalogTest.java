package dev.comporta.console.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.Host;
import dev.comporta.console.Outcome;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.View;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The questions of drivers and tools about the catalog, in the forms in which mssql-jdbc and DBeaver put them. */
class SystemCatalogTest {
    private final Host host = new Host();

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            select name as TABLE_CAT from sys.databases order by name => comporta
            select name, compatibility_level from sys.databases where name = 'comporta' => comporta|160
            select sys.schemas.name 'TABLE_SCHEM', DB_NAME() 'TABLE_CATALOG' from sys.schemas order by 2, 1 => dbo|comporta; INFORMATION_SCHEMA|comporta; sys|comporta
            select [comporta].sys.schemas.name 'TABLE_SCHEM' from [comporta].sys.schemas where [comporta].sys.schemas.name like 's%' => sys
            select maximum from sys.configurations where name = 'user connections' => 32767
            select cast(NULL as char(1)) as NAME, cast(0 as int) as MAX_LEN where 0 = 1 => ``
            SELECT 'VIEW' 'TABLE_TYPE' UNION SELECT 'TABLE' => VIEW; TABLE
            SELECT TABLE_SCHEMA + '.' + TABLE_NAME FROM INFORMATION_SCHEMA.TABLES ORDER BY 1 => dbo.clients; dbo.remote_pool_stats; sys.clients; sys.remote_pool_stats
            SELECT COLUMN_NAME, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH FROM information_schema.columns WHERE TABLE_NAME = 'clients' AND TABLE_SCHEMA = 'sys' => client_id|int|NULL; server_name|nvarchar|4000; login|nvarchar|4000
            SELECT name FROM sys.views ORDER BY name => clients; remote_pool_stats
            SELECT COUNT(*) FROM sys.tables => 0
            SELECT name FROM sys.types WHERE is_user_defined = 0 ORDER BY name => bigint; bit; datetime2; float; int; nvarchar
            SELECT o.name, c.name, TYPE_NAME(c.user_type_id) FROM sys.columns c JOIN sys.objects o ON o.object_id = c.object_id WHERE c.column_id = 1 ORDER BY 1 => clients|client_id|int; remote_pool_stats|server_name|nvarchar
            """)
    void catalogIsAnswered(String query, String answer) {
        assertThat(host.ask(query)).isEqualTo(answer);
    }

    @Test
    void treeOfAToolShowsSchemasViewsAndColumnsWithTheirDescriptions() {
        assertThat(host.ask("SELECT DISTINCT s.*, ep.value AS description FROM [comporta].sys.schemas s"
                        + "\nLEFT OUTER JOIN [comporta].sys.extended_properties ep ON ep.class = 3 AND ep.major_id = s.schema_id"
                        + "\nINNER JOIN [comporta].sys.all_objects o ON s.schema_id = o.schema_id"))
                .isEqualTo("dbo|1|1|NULL; INFORMATION_SCHEMA|3|3|NULL; sys|4|4|NULL");
        assertThat(host.ask("SELECT o.name, ep.value AS description, t.is_external FROM [comporta].sys.all_objects o"
                        + "\nLEFT OUTER JOIN [comporta].sys.extended_properties ep ON ep.class = 1 AND ep.major_id = o.object_id"
                        + " AND ep.minor_id = 0 AND ep.name = 'MS_Description'"
                        + "\nLEFT OUTER JOIN [comporta].sys.tables t ON t.object_id = o.object_id"
                        + "\nWHERE o.type IN ('U', 'S', 'V', 'TT') AND o.schema_id = 1"))
                .isEqualTo("remote_pool_stats|One row for each bucket.|NULL; clients|One row for each client.|NULL");
        assertThat(host.ask("SELECT c.name, t.name AS table_name, cc.is_persisted,"
                        + " COLUMNPROPERTY(c.object_id, c.name, 'charmaxlen') AS char_max_length, dc.definition, ep.value"
                        + "\nFROM [comporta].sys.all_columns c"
                        + "\nJOIN [comporta].sys.all_objects t ON t.object_id = c.object_id"
                        + "\nLEFT OUTER JOIN [comporta].sys.default_constraints dc ON dc.parent_object_id = t.object_id"
                        + " AND dc.parent_column_id = c.column_id"
                        + "\nLEFT OUTER JOIN [comporta].sys.extended_properties ep ON ep.class = 1 AND ep.major_id = t.object_id"
                        + " AND ep.minor_id = c.column_id AND ep.name = 'MS_Description'"
                        + "\nLEFT OUTER JOIN [comporta].sys.computed_columns cc ON cc.object_id = t.object_id"
                        + " AND cc.column_id = c.column_id"
                        + "\nWHERE t.object_id = OBJECT_ID('dbo.clients') ORDER BY c.object_id, c.column_id"))
                .isEqualTo(
                        "client_id|clients|NULL|NULL|NULL|Its number.; server_name|clients|NULL|4000|NULL|Its bucket.;"
                                + " login|clients|NULL|4000|NULL|Its login.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT i.*, ic.column_id, t.name AS table_name FROM sys.indexes i, sys.index_columns ic, sys.all_objects t"
                        + " WHERE t.object_id = i.object_id AND ic.object_id = i.object_id AND ic.index_id = i.index_id"
                        + " AND t.schema_id = 1 ORDER BY i.object_id, i.index_id, ic.key_ordinal",
                "SELECT kc.*, t.name AS table_name FROM \nsys.key_constraints kc,sys.all_objects t\nWHERE"
                        + " kc.parent_object_id = t.object_id ORDER BY kc.name",
                "SELECT p.name AS proc_name, pp.* FROM sys.all_objects p, sys.all_parameters pp WHERE p.type IN ('P', 'FN')"
                        + " AND p.object_id = pp.object_id ORDER BY pp.object_id, pp.parameter_id",
                "SELECT t.*, (SELECT STRING_AGG(te.type_desc, ', ') FROM sys.trigger_events te WHERE t.object_id ="
                        + " te.object_id) AS trigger_type FROM sys.triggers t, sys.all_objects o WHERE o.object_id ="
                        + " t.object_id ORDER BY t.name",
                "SELECT t.name, p.rows, SUM(a.total_pages) * 8 AS totalSize FROM sys.tables t"
                        + " INNER JOIN sys.indexes i ON t.OBJECT_ID = i.object_id"
                        + " INNER JOIN sys.partitions p ON i.object_id = p.OBJECT_ID AND i.index_id = p.index_id"
                        + " INNER JOIN sys.allocation_units a ON p.partition_id = a.container_id"
                        + " LEFT OUTER JOIN sys.schemas s ON t.schema_id = s.schema_id WHERE t.schema_id = 1"
                        + " GROUP BY t.name, p.rows",
                "SELECT database_id, SUM(size)\nFROM sys.master_files WITH(NOWAIT)\nGROUP BY database_id",
                "SELECT ss.*, tt.type_table_object_id FROM sys.types ss LEFT JOIN sys.table_types tt ON ss.name = tt.name"
                        + " WHERE ss.is_user_defined = 1",
                "SELECT ep.*, TYPE_ID(CAST(SQL_VARIANT_PROPERTY(value, 'BaseType') as nvarchar)) AS value_type FROM"
                        + " sys.extended_properties ep WHERE ep.major_id = 0",
                "SELECT * FROM sys.server_principals",
                "SELECT definition FROM sys.sql_modules WHERE object_id = (OBJECT_ID(N'dbo.clients'))",
                "SELECT TOP 1 is_external from sys.tables where 1<>1",
                "EXEC sp_pkeys 'clients', 'dbo', NULL",
                "EXEC sp_fkeys @pktable_name = 'clients'",
                "EXEC sp_statistics_100 'clients', 'sys', NULL, '%', 'N', 'Q'",
                "EXEC sp_special_columns_100 'clients'",
                "EXEC sp_stored_procedures",
                "EXEC sp_sproc_columns_100 '%'",
                "EXEC sp_table_privileges '%'",
                "EXEC sp_column_privileges 'clients'",
            })
    void whatTheConsoleHasNoneOfIsAnEmptyResult(String query) {
        List<Outcome> outcomes = host.execute(query);
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(Outcome.Rows.class, rows -> {
            assertThat(rows.rows()).isEmpty();
            assertThat(rows.columns()).isNotEmpty();
        });
    }

    @Test
    void proceduresListViewsAndColumns() {
        assertThat(host.ask("EXEC sp_tables 'cl%', 'dbo'"))
                .isEqualTo("comporta|dbo|clients|VIEW|One row for each client.");
        assertThat(host.ask("EXEC sp_tables @table_name = 'clients', @table_type = \"'VIEW'\""))
                .isEqualTo(
                        "comporta|dbo|clients|VIEW|One row for each client.; comporta|sys|clients|VIEW|One row for each"
                                + " client.");
        assertThat(host.ask("EXEC sp_tables 'cl%', NULL, NULL, '''TABLE'''")).isEmpty();
        assertThat(host.ask("sp_databases")).isEqualTo("comporta|0|NULL");
        assertThat(host.ask("sp_datatype_info_100 @ODBCVer=3")).startsWith("bit|-7|1|");
        assertThat(host.ask("EXEC sp_columns 'clients', 'sys', 'comporta', 'log%'"))
                .isEqualTo("comporta|sys|clients|login|-9|nvarchar|4000|8000|NULL|NULL|1|Its"
                        + " login.|NULL|-9|NULL|8000|3|YES|39");
    }

    @Test
    void tableVariableHoldsWhatAProcedureReturns() {
        StringBuilder columns = new StringBuilder();
        Outcome.Rows rows = (Outcome.Rows)
                host.execute("EXEC sp_columns_100 'clients', 'sys'").getFirst();
        assertThat(rows.columns()).hasSize(29);
        for (Column column : rows.columns()) {
            String type = column.type().name().equals("NVARCHAR") ? "SYSNAME NULL" : "SMALLINT";
            columns.append(columns.isEmpty() ? "" : ", ")
                    .append(column.name())
                    .append(' ')
                    .append(type);
        }
        assertThat(host.ask("DECLARE @r TABLE(" + columns
                        + ");INSERT INTO @r EXEC sp_columns_100 'clients','sys',NULL,'%',2,3;"
                        + "SELECT COLUMN_NAME, CAST(SS_DATA_TYPE AS SMALLINT) AS SOURCE_DATA_TYPE,"
                        + " CASE SS_IS_IDENTITY WHEN 0 THEN 'NO' WHEN 1 THEN 'YES' WHEN '' THEN '' END AS IS_AUTOINCREMENT"
                        + " FROM @r ORDER BY TABLE_NAME, ORDINAL_POSITION;"))
                .isEqualTo("client_id|38|NO; server_name|39|NO; login|39|NO");
        assertThat(host.ask("DECLARE @r TABLE(a INT);INSERT INTO @r EXEC sp_databases"))
                .isEqualTo("213 at 1:25: sp_databases returns 3 columns; @r has 1.");
    }

    @Test
    void everyViewCanBeReadAndDescribesItself() {
        assertThat(host.console().catalog().views())
                .extracting(View::fullName)
                .contains("sys.clients", "sys.all_objects", "INFORMATION_SCHEMA.COLUMNS");
        for (View view : host.console().catalog().views()) {
            assertThat(host.ask("SELECT COUNT(*) FROM " + view.fullName()))
                    .as(view.fullName())
                    .matches("\\d+");
            assertThat(host.ask("SELECT COUNT(*) FROM sys.all_objects o JOIN sys.schemas s ON s.schema_id = o.schema_id"
                            + " WHERE o.name = '" + view.name() + "' AND s.name = '" + view.schema() + "'"))
                    .as(view.fullName())
                    .isEqualTo("1");
            assertThat(host.ask(
                            "SELECT c.name FROM sys.all_columns c JOIN sys.all_objects o ON o.object_id = c.object_id"
                                    + " JOIN sys.schemas s ON s.schema_id = o.schema_id WHERE o.name = '" + view.name()
                                    + "' AND s.name = '" + view.schema() + "' ORDER BY c.column_id"))
                    .as(view.fullName())
                    .isEqualTo(view.columns().stream().map(Column::name).collect(Collectors.joining("; ")));
        }
    }
}
