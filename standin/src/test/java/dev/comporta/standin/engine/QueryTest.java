package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** SELECT, INSERT, UPDATE, DELETE: rows, types, counts. */
final class QueryTest extends EngineFixture {
    @Test
    void selectOfConstants() {
        assertThat(events("SELECT 1, 'a' AS x, N'b' y, 1.5, NULL, z = 2"))
                .containsExactly(
                        "columns  int not null, x varchar(1) not null, y nvarchar(1) not null,  numeric(2,1) not null,  int, z int not null",
                        "row 1|a|b|1.5|NULL|2",
                        "done 1");
    }

    @Test
    void tableWithEveryType() {
        run("""
            CREATE TABLE every (
              a bit, b tinyint, c smallint, d int, e bigint, f decimal(10,2), g numeric(5,0), h money, i smallmoney,
              j real, k float, l date, m time(3), n datetime, o smalldatetime, p datetime2(4), q datetimeoffset(2),
              r char(5), s varchar(10), t varchar(max), u text, v nchar(3), w nvarchar(20), x nvarchar(max), y ntext,
              z binary(4), aa varbinary(8), bb varbinary(max), cc image, dd uniqueidentifier, ee xml, ff sql_variant,
              gg rowversion)""");
        assertThat(errors("""
            INSERT INTO every VALUES (1, 255, -3, 4, 5000000000, 6.55, 7, 8.1234, 9.5, 1.5, 2.25, '2024-02-29', '12:34:56.789',
              '2024-02-29T12:34:56.789', '2024-02-29 12:34', '2024-02-29 12:34:56.1234', '2024-02-29 12:34:56.12 +02:00',
              'ab', 'abc', 'max', 'text', N'é', N'ñandú', N'nmax', N'ntext', 0x0102, 0xFF00, 0x01, 0x02,
              '6F9619FF-8B86-D011-B42D-00C04FC964FF', '<a/>', 42)""")).isEmpty();
        Recording recording = run("SELECT * FROM every");
        assertThat(recording.events().get(0))
                .isEqualTo(
                        "columns a bit, b tinyint, c smallint, d int, e bigint, f decimal(10,2), g numeric(5,0), h money,"
                                + " i smallmoney, j real, k float, l date, m time(3), n datetime, o smalldatetime, p datetime2(4),"
                                + " q datetimeoffset(2), r char(5), s varchar(10), t varchar(max), u text, v nchar(3), w nvarchar(20),"
                                + " x nvarchar(max), y ntext, z binary(4), aa varbinary(8), bb varbinary(max), cc image,"
                                + " dd uniqueidentifier, ee xml, ff sql_variant, gg timestamp not null");
        assertThat(recording.rowLines().getFirst())
                .startsWith("1|255|-3|4|5000000000|6.55|7|8.1234|9.5000|1.5|2.25|2024-02-29|12:34:56.789|"
                        + "2024-02-29T12:34:56.790|2024-02-29T12:34|2024-02-29T12:34:56.123400|2024-02-29T12:34:56.120+02:00|"
                        + "ab   |abc|max|text|é  |ñandú|nmax|ntext|0x01020000|0xFF00|0x01|0x02|"
                        + "6f9619ff-8b86-d011-b42d-00c04fc964ff|<a/>|42|0x00");
    }

    @Test
    void changesCountRows() {
        run("CREATE TABLE t (id int PRIMARY KEY, name varchar(20))");
        assertThat(events("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')")).containsExactly("done 3");
        assertThat(events("UPDATE t SET name = name + '!' WHERE id > 1")).containsExactly("done 2");
        assertThat(events("DELETE FROM t WHERE id = 1; SELECT @@ROWCOUNT"))
                .containsExactly("done 1", "columns  int not null", "row 1", "done 1");
        assertThat(rows("SELECT id, name FROM t ORDER BY id")).containsExactly("2|b!", "3|c!");
    }

    @Test
    void comparisonsIgnoreCase() {
        run("CREATE TABLE t (name varchar(20), fixed char(10)); INSERT t VALUES ('Anna', 'Bob')");
        assertThat(rows("SELECT 1 FROM t WHERE name = 'ANNA' AND fixed = 'bob'"))
                .containsExactly("1");
        assertThat(rows("SELECT 1 FROM t WHERE fixed = 'BOB   ' AND name IN ('x', 'anna ')"))
                .containsExactly("1");
        run("INSERT t VALUES ('anton', 'x')");
        assertThat(rows("SELECT COUNT(*) FROM t GROUP BY LEFT(name, 1)")).containsExactly("2");
        run("DELETE t WHERE fixed = 'x'");
        assertThat(rows("SELECT 1 FROM t WHERE name LIKE 'a[m-p]n_' AND 'x' = 'X'"))
                .containsExactly("1");
    }

    @Test
    void identitiesAreGivenAndRemembered() {
        run("CREATE TABLE t (id int IDENTITY(10, 5) PRIMARY KEY, name varchar(20))");
        assertThat(rows("INSERT t (name) VALUES ('a'), ('b'); SELECT SCOPE_IDENTITY(), @@IDENTITY, IDENT_CURRENT('t')"))
                .containsExactly("15|15|15");
        assertThat(errors("INSERT t (id, name) VALUES (1, 'x')").getFirst()).contains("error 544");
        assertThat(rows("SET IDENTITY_INSERT t ON; INSERT t (id, name) VALUES (100, 'c'); SET IDENTITY_INSERT t OFF;"
                        + " INSERT t (name) VALUES ('d'); SELECT id FROM t ORDER BY id"))
                .containsExactly("10", "15", "100", "105");
    }

    @Test
    void joinsGroupsSubqueriesAndUnions() {
        run("CREATE TABLE a (id int, v int); CREATE TABLE b (id int, w varchar(5));"
                + "INSERT a VALUES (1, 10), (2, 20), (2, 30); INSERT b VALUES (1, 'x'), (3, 'y')");
        assertThat(rows("SELECT a.id, SUM(v), AVG(v), COUNT(*) FROM a GROUP BY a.id HAVING COUNT(*) > 0 ORDER BY 1"))
                .containsExactly("1|10|10|1", "2|50|25|2");
        assertThat(rows("SELECT a.v, b.w FROM a LEFT JOIN b ON a.id = b.id ORDER BY v"))
                .containsExactly("10|x", "20|NULL", "30|NULL");
        assertThat(
                        rows(
                                "SELECT v FROM a WHERE EXISTS (SELECT * FROM b WHERE b.id = a.id) UNION ALL SELECT 7 ORDER BY 1"))
                .containsExactly("7", "10");
        assertThat(rows("WITH q (n) AS (SELECT v FROM a) SELECT TOP 2 n FROM q ORDER BY n DESC"))
                .containsExactly("30", "20");
        assertThat(rows("SELECT v FROM a ORDER BY v OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY"))
                .containsExactly("20");
        assertThat(rows("SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY v DESC) FROM a ORDER BY id, v"))
                .containsExactly("1|1", "2|2", "2|1");
    }

    @Test
    void selectIntoMakesTheTable() {
        run("CREATE TABLE t (id int NOT NULL, name nvarchar(30)); INSERT t VALUES (1, N'a')");
        assertThat(events("SELECT id, name, 1.5 AS x INTO u FROM t")).containsExactly("done 1");
        assertThat(run("SELECT * FROM u").events().getFirst())
                .isEqualTo("columns id int not null, name nvarchar(30), x numeric(2,1) not null");
    }

    @Test
    void severalDatabasesInOneQuery() {
        run("CREATE TABLE stock.dbo.items (id int); INSERT stock..items VALUES (7)");
        assertThat(value("SELECT id FROM stock.dbo.items")).isEqualTo("7");
        assertThat(errors("SELECT * FROM items")).containsExactly("error 208 16 line 1: Invalid object name 'items'.");
        assertThat(events("USE stock; SELECT id FROM items"))
                .containsExactly(
                        "database shop to stock",
                        "info 5701 Changed database context to 'stock'.",
                        "columns id int",
                        "row 7",
                        "done 1");
    }

    @Test
    void updateAndDeleteWithJoins() {
        run("CREATE TABLE a (id int, v int); CREATE TABLE b (id int, w int);"
                + "INSERT a VALUES (1, 10), (2, 20); INSERT b VALUES (1, 5)");
        assertThat(events("UPDATE x SET v = x.v + b.w FROM a AS x JOIN b ON b.id = x.id"))
                .containsExactly("done 1");
        assertThat(rows("SELECT v FROM a ORDER BY id")).containsExactly("15", "20");
        assertThat(events("DELETE a FROM a JOIN b ON b.id = a.id")).containsExactly("done 1");
        assertThat(rows("SELECT id FROM a")).containsExactly("2");
    }

    @Test
    void outputOfInsert() {
        run("CREATE TABLE t (id int IDENTITY, name varchar(10))");
        assertThat(events("INSERT INTO t (name) OUTPUT INSERTED.id, inserted.name VALUES ('a'), ('b')"))
                .containsExactly("columns id int not null identity, name varchar(10)", "row 1|a", "row 2|b", "done 2");
    }
}
