package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What drivers ask about tables, columns, keys, types and parameters. */
final class CatalogTest extends EngineFixture {
    @BeforeEach
    void makeTables() {
        run("CREATE TABLE parent (id int IDENTITY CONSTRAINT pk_parent PRIMARY KEY, name nvarchar(20) NOT NULL)");
        run(
                "CREATE TABLE child (id int, parent_id int CONSTRAINT fk_child REFERENCES parent, price decimal(9,2) DEFAULT 1)");
        run("CREATE VIEW names AS SELECT name FROM parent");
        run("CREATE PROCEDURE add_one @x int, @y int OUTPUT AS SET @y = @x + 1");
    }

    @Test
    void tablesAndViews() {
        assertThat(call("sp_tables").rowLines())
                .containsExactly("shop|dbo|child|TABLE|NULL", "shop|dbo|parent|TABLE|NULL", "shop|dbo|names|VIEW|NULL");
        assertThat(call("sp_tables", text("p%"), text("dbo"), text("shop"), text("'TABLE'"))
                        .rowLines())
                .containsExactly("shop|dbo|parent|TABLE|NULL");
        assertThat(rows("SELECT name, type_desc FROM sys.objects WHERE type IN ('U', 'V', 'P') ORDER BY name"))
                .containsExactly("add_one|SQL_STORED_PROCEDURE", "child|USER_TABLE", "names|VIEW", "parent|USER_TABLE");
        assertThat(rows("SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE = 'BASE TABLE' ORDER BY 1"))
                .containsExactly("child", "parent");
    }

    @Test
    void columns() {
        Recording columns = call("sp_columns_100", text("child"));
        assertThat(columns.columns()).hasSize(29);
        assertThat(columns.rowLines()).hasSize(3);
        assertThat(columns.rowLines().getLast())
                .startsWith("shop|dbo|child|price|3|decimal|9|11|2|10|1|NULL|(1)|3|NULL|NULL|3|YES|");
        assertThat(call("sp_columns", text("parent")).columns()).hasSize(19);
        assertThat(
                        rows(
                                "SELECT c.name, t.name, c.max_length, c.is_identity FROM sys.columns c JOIN sys.types t"
                                        + " ON t.user_type_id = c.user_type_id WHERE c.object_id = OBJECT_ID('parent') ORDER BY c.column_id"))
                .containsExactly("id|int|4|1", "name|nvarchar|40|0");
    }

    @Test
    void keys() {
        assertThat(call("sp_pkeys", text("parent")).rowLines()).containsExactly("shop|dbo|parent|id|1|pk_parent");
        assertThat(call("sp_fkeys", named("@fktable_name", text("child"))).rowLines())
                .containsExactly("shop|dbo|parent|id|shop|dbo|child|parent_id|1|1|1|fk_child|pk_parent|7");
        assertThat(call("sp_statistics", text("parent")).rowLines().getFirst()).contains("pk_parent");
    }

    @Test
    void procedures() {
        assertThat(call("sp_sproc_columns", text("add_one")).rowLines()).hasSize(3);
        assertThat(call("sp_stored_procedures", text("add%")).rowLines()).hasSize(1);
    }

    @Test
    void types() {
        assertThat(call("sp_datatype_info_100", number(0)).rowLines()).hasSize(30);
        assertThat(call("sp_datatype_info", number(4)).rowLines().getFirst()).startsWith("int|4|10|");
    }

    @Test
    void undeclaredParameters() {
        assertThat(call(
                                "sp_describe_undeclared_parameters",
                                text("UPDATE child SET price = @p WHERE parent_id = @q AND id IN (1, @r)"))
                        .rows())
                .extracting(row -> row[1] + " " + row[3])
                .containsExactly("@p decimal(9,2)", "@q int", "@r int");
    }

    @Test
    void temporaryProceduresAreTheSessionsOwn() {
        run("CREATE PROC #p @x int AS SELECT @x + 1");
        assertThat(call("#p", number(1)).rowLines()).containsExactly("2");
        assertThat(run(login(), "EXEC #p 1").errors()).hasSize(1);
        run("DROP PROC #p");
        assertThat(call("#p", number(1)).errors()).hasSize(1);
    }

    @Test
    void viewsFollowTheirTables() {
        run("INSERT parent (name) VALUES (N'x')");
        assertThat(rows("SELECT * FROM names")).containsExactly("x");
        assertThat(errors("CREATE VIEW bad AS SELECT * FROM nosuch").getFirst()).contains("208");
    }
}
