package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls: dynamic SQL, prepared handles, user procedures, API cursors. */
final class ProcedureTest extends EngineFixture {
    @Test
    void executeSqlWithParameters() {
        assertThat(call(
                                "sp_executesql",
                                text("SELECT @a + 1 AS x; SET @b = @a * 2"),
                                text("@a int, @b int OUTPUT"),
                                number(20),
                                output(Types.INT))
                        .events())
                .containsExactly("columns x int", "row 21", "doneinproc 1", "status 0", "value  int 40", "doneproc");
    }

    @Test
    void executeSqlByNames() {
        assertThat(call(
                                "sp_executesql",
                                text("SELECT @b, @a"),
                                text("@a nvarchar(10), @b int"),
                                named("@b", number(1)),
                                named("@a", text("x")))
                        .rowLines())
                .containsExactly("1|x");
    }

    @Test
    void preparedHandles() {
        Recording prepared =
                call("sp_prepare", output(Types.INT), text("@p int"), text("SELECT @p + 1 AS x"), number(1));
        assertThat(prepared.events())
                .containsExactly("columns x int", "doneinproc 0", "status 0", "value  int 1", "doneproc");
        assertThat(call("sp_execute", number(1), number(5)).events())
                .containsExactly("columns x int", "row 6", "doneinproc 1", "status 0", "doneproc");
        assertThat(call("sp_prepexec", output(Types.INT), text("@p int"), text("SELECT @p"), number(7))
                        .events())
                .containsExactly(
                        "columns  int not null", "row 7", "doneinproc 1", "status 0", "value  int 2", "doneproc");
        assertThat(engine.preparedHandles()).isEqualTo(2);
        assertThat(call("sp_unprepare", number(1)).events()).containsExactly("status 0", "doneproc");
        assertThat(call("sp_execute", number(1), number(5)).events())
                .containsExactly(
                        "error 8179 16 line 1 in sp_execute: Could not find prepared statement with handle 1.",
                        "doneproc failed");
    }

    @Test
    void userProcedureWithOutputAndStatus() {
        run("CREATE PROCEDURE dbo.twice @in int, @out int OUTPUT, @note varchar(10) = 'none' AS\n"
                + "BEGIN SET NOCOUNT ON; SELECT @note AS note; SET @out = @in * 2; RETURN 7 END");
        assertThat(call("dbo.twice", number(4), output(Types.INT)).events())
                .containsExactly(
                        "columns note varchar(10) not null",
                        "row none",
                        "doneinproc",
                        "status 7",
                        "value  int 8",
                        "doneproc");
        assertThat(call("shop.dbo.twice;1", named("@out", output(Types.INT)), named("@in", number(1)))
                        .events())
                .contains("value @out int 2");
        assertThat(events("DECLARE @o int, @rc int; EXEC @rc = twice 5, @o OUTPUT, @note = 'x'; SELECT @o, @rc"))
                .containsExactly(
                        "columns note varchar(10) not null",
                        "row x",
                        "doneinproc",
                        "status 7",
                        "doneproc",
                        "columns  int not null,  int not null",
                        "row 10|7",
                        "done 1");
        assertThat(call("twice").events().getFirst())
                .isEqualTo(
                        "error 201 16 line 1 in twice: Procedure or function 'twice' expects parameter '@in', which was"
                                + " not supplied.");
    }

    @Test
    void errorsInAProcedureNameItAndItsLine() {
        run("CREATE PROC p AS\nSELECT 1\nSELECT 1/0\nSELECT 2");
        assertThat(call("p").events())
                .containsExactly(
                        "columns  int not null",
                        "row 1",
                        "doneinproc 1",
                        "columns  int",
                        "error 8134 16 line 3 in p: Divide by zero error encountered.",
                        "info 3621 The statement has been terminated.",
                        "doneinproc failed",
                        "columns  int not null",
                        "row 2",
                        "doneinproc 1",
                        "status 0",
                        "doneproc failed");
    }

    @Test
    void unknownProcedure() {
        assertThat(call("nosuch").events())
                .containsExactly(
                        "error 2812 16 line 1 in nosuch: Could not find stored procedure 'nosuch'.", "doneproc failed");
        assertThat(events("EXEC nosuch; SELECT 1"))
                .contains("error 2812 16 line 1: Could not find stored procedure 'nosuch'.", "row 1");
    }

    @Test
    void javaProcedure() {
        engine.registerProcedure("double_it", call -> {
            call.output("@out", 1, (Integer) call.value("@in", 0) * 2);
            call.print("doubling");
            return 3;
        });
        assertThat(call("double_it", number(21), output(Types.INT)).events())
                .containsExactly("info 0 doubling", "status 3", "value  int 42", "doneproc");
    }

    @Test
    void optionsAndTemporaryTablesEndWithTheProcedure() {
        run(
                "CREATE PROC p AS SET NOCOUNT ON; SET LOCK_TIMEOUT 5; CREATE TABLE #t (id int); INSERT #t VALUES (1); SELECT * FROM #t");
        assertThat(call("p").rowLines()).containsExactly("1");
        assertThat(rows("SELECT @@LOCK_TIMEOUT, @@OPTIONS & 512")).containsExactly("-1|0");
        assertThat(errors("SELECT * FROM #t").getFirst()).contains("208");
        call("sp_executesql", text("CREATE TABLE #u (id int)"));
        assertThat(errors("SELECT * FROM #u").getFirst()).contains("208");
    }

    @Test
    void insertOfAProceduresRows() {
        run("CREATE TABLE t (a int, b varchar(5))");
        run("CREATE PROC p AS SELECT 1, 'x'; SELECT 2, 'y'");
        assertThat(events("INSERT t EXEC p")).containsExactly("done 2");
        assertThat(rows("SELECT a, b FROM t ORDER BY a")).containsExactly("1|x", "2|y");
    }

    @Test
    void apiCursor() {
        run("CREATE TABLE t (id int); INSERT t VALUES (1), (2), (3), (4), (5)");
        Recording open = call(
                "sp_cursoropen",
                output(Types.INT),
                text("SELECT id FROM t ORDER BY id"),
                inOut(1),
                inOut(8193),
                inOut(0));
        assertThat(open.events())
                .containsExactly(
                        "columns id int, ROWSTAT int not null",
                        "doneinproc 0",
                        "status 0",
                        "value  int 180150003",
                        "value  int 8",
                        "value  int 1",
                        "value  int 5",
                        "doneproc");
        assertThat(fetch(2, 0, 2)).containsExactly("1|1", "2|1");
        assertThat(fetch(2, 0, 2)).containsExactly("3|1", "4|1");
        assertThat(fetch(2, 0, 2)).containsExactly("5|1");
        assertThat(fetch(2, 0, 2)).isEmpty();
        assertThat(fetch(8, 0, 2)).containsExactly("4|1", "5|1");
        assertThat(fetch(4, 0, 2)).containsExactly("2|1", "3|1");
        assertThat(fetch(16, 2, 1)).containsExactly("2|1");
        assertThat(fetch(1, 0, 1)).containsExactly("1|1");
        assertThat(call("sp_cursorclose", number(180150003)).events()).containsExactly("status 0", "doneproc");
        assertThat(call("sp_cursorclose", number(180150003)).events().getFirst())
                .startsWith("error 16909");
    }

    @Test
    void apiCursorOverAProcedure() {
        run("CREATE PROC p @n int OUTPUT AS SELECT 1 AS x; SET @n = 5");
        Recording open = call(
                "sp_cursoropen",
                output(Types.INT),
                text("EXEC p @a OUTPUT"),
                inOut(0x1010),
                inOut(1),
                inOut(0),
                text("@a int OUTPUT"),
                output(Types.INT));
        assertThat(open.events()).contains("columns x int not null, ROWSTAT int not null", "value  int 5");
        assertThat(fetch(2, 0, 5)).containsExactly("1|1");
        assertThat(call("sp_cursoropen", output(Types.INT), text("EXEC sp_tables"), inOut(8), inOut(1), inOut(0))
                        .errors())
                .hasSize(1);
    }

    private List<String> fetch(int type, int row, int count) {
        return call("sp_cursorfetch", number(180150003), number(type), number(row), number(count))
                .rowLines();
    }

    private static EngineSession.Parameter inOut(int value) {
        return new EngineSession.Parameter("", Types.INT, value, true, false);
    }

    @Test
    void dynamicExec() {
        assertThat(
                        rows(
                                "DECLARE @s nvarchar(100) = N'SELECT 1+1'; EXEC(@s); EXEC('SELECT ' + '5'); EXEC sp_executesql @s"))
                .containsExactly("2", "5", "2");
    }
}
