package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which session owns a prepared handle, how long it lives, and where it may be used. */
final class PreparedHandlesTest extends EngineFixture {
    private static final String NOT_FOUND =
            "error 8179 16 line 1 in sp_execute: Could not find prepared statement with handle %d.";

    private List<String> prepare(EngineSession in, String text) {
        Recording recording = new Recording();
        in.call("sp_prepare", List.of(output(Types.INT), text("@p int"), text(text)), recording);
        return recording.events();
    }

    @Test
    void eachSessionCountsItsOwnFromOne() {
        EngineSession other = login();
        assertThat(prepare(session, "SELECT @p + 1 AS x")).contains("value  int 1");
        assertThat(prepare(other, "SELECT @p + 2 AS x")).contains("value  int 1");
        assertThat(prepare(session, "SELECT @p + 3 AS x")).contains("value  int 2");
        assertThat(call("sp_execute", number(1), number(10)).rowLines()).containsExactly("11");
        Recording others = new Recording();
        other.call("sp_execute", List.of(number(1), number(10)), others);
        assertThat(others.rowLines()).containsExactly("12");
    }

    @Test
    void resetDropsThemAndCountsAnew() {
        prepare(session, "SELECT @p AS x");
        prepare(session, "SELECT @p AS x");
        session.reset(false, new Recording());
        assertThat(call("sp_execute", number(1), number(5)).events()).contains(NOT_FOUND.formatted(1));
        assertThat(prepare(session, "SELECT @p * 2 AS x")).contains("value  int 1");
        assertThat(call("sp_execute", number(2), number(5)).events()).contains(NOT_FOUND.formatted(2));
    }

    @Test
    void oldHandleIsGivenUpForTheNewOne() {
        prepare(session, "SELECT @p AS x");
        assertThat(call(
                                "sp_prepexec",
                                new EngineSession.Parameter("", Types.INT, 1, true, false),
                                text("@p int"),
                                text("SELECT @p * 2 AS x"),
                                number(4))
                        .events())
                .contains("row 8", "value  int 2");
        assertThat(call("sp_execute", number(1), number(5)).events()).contains(NOT_FOUND.formatted(1));
        assertThat(call("sp_execute", number(2), number(5)).rowLines()).containsExactly("10");
    }

    @Test
    void belongToTheDatabaseAndTheOptionsOfTheirPreparation() {
        prepare(session, "SELECT @p AS x");
        for (String elsewhere : List.of("USE stock", "SET ANSI_NULLS OFF", "SET QUOTED_IDENTIFIER OFF")) {
            run(elsewhere);
            assertThat(call("sp_execute", number(1), number(5)).errors().getFirst())
                    .as(elsewhere)
                    .startsWith(
                            "error 586 16 line 1 in sp_execute: The prepared statement handle 1 is not valid in this"
                                    + " context.  Please verify that current database,");
            run("USE shop; SET ANSI_NULLS, QUOTED_IDENTIFIER ON");
            assertThat(call("sp_execute", number(1), number(5)).rowLines()).containsExactly("5");
        }
    }

    @Test
    void textGivesThemUpAsDriversWriteIt() {
        prepare(session, "SELECT @p AS x");
        prepare(session, "SELECT @p AS x");
        assertThat(events("EXEC sp_unprepare 1;EXEC sp_unprepare 2;EXEC sp_unprepare 1;"))
                .containsExactly(
                        "status 0",
                        "doneproc",
                        "status 0",
                        "doneproc",
                        "error 8179 16 line 1 in sp_unprepare: Could not find prepared statement with handle 1.",
                        "status 8179",
                        "doneproc");
        assertThat(engine.preparedHandles()).isZero();
    }

    @Test
    void whatCanNotBePreparedIsToldWithItsStatusAndNoHandle() {
        for (String text : List.of("SELECT @p FROM nowhere", "SELECT nothing")) {
            Recording prepared = call("sp_prepare", output(Types.INT), text("@p int"), text(text), number(1));
            assertThat(prepared.errors()).as(text).hasSize(2);
            assertThat(prepared.events().subList(1, 5))
                    .as(text)
                    .containsExactly(
                            "error 8180 16 line 1: Statement(s) could not be prepared.",
                            "status 8180",
                            "value  int NULL",
                            "doneproc failed");
        }
        for (String text : List.of("SELECT @p FROM nowhere", "SELECT FROM")) {
            assertThat(call("sp_prepexec", output(Types.INT), text("@p int"), text(text), number(1))
                            .events())
                    .as(text)
                    .endsWith("status 8180", "value  int NULL", "doneproc failed");
        }
        assertThat(engine.handles().prepares()).isZero();
        assertThat(prepare(session, "SELECT @p")).contains("value  int 1");
    }

    @Test
    void syntaxErrorIsToldByTheExecution() {
        assertThat(prepare(session, "SELECT FROM @p")).containsExactly("status 8182", "value  int 1", "doneproc");
        assertThat(call("sp_execute", number(1), number(5)).errors().getFirst()).startsWith("error 156 15");
        assertThat(call("sp_unprepare", number(1)).errors()).isEmpty();
    }

    @Test
    void oldHandleIsGivenUpEvenIfTheNewOneCanNotBePrepared() {
        prepare(session, "SELECT @p AS x");
        assertThat(call("sp_prepexec", oldHandle(1), text("@p int"), text("SELECT FROM @p"), number(4))
                        .events())
                .contains("value  int NULL");
        assertThat(call("sp_execute", number(1), number(5)).events()).contains(NOT_FOUND.formatted(1));
    }

    @Test
    void theOnlyOptionIsToDescribeTheResult() {
        String[] described = {"columns x int", "doneinproc 0", "status 0"};
        assertThat(prepare(session, "SELECT @p + 1 AS x")).startsWith(described).endsWith("value  int 1", "doneproc");
        assertThat(call("sp_prepare", output(Types.INT), text("@p int"), text("SELECT @p + 1 AS x"), number(1))
                        .events())
                .startsWith(described);
        for (EngineSession.Parameter option :
                List.of(number(0), number(2), new EngineSession.Parameter("", Types.INT, null, false, false))) {
            assertThat(call("sp_prepare", output(Types.INT), text("@p int"), text("SELECT @p"), option)
                            .events())
                    .containsExactly(
                            "error 214 16 line 1 in sp_prepare: Procedure expects parameter '@options' of type 'int'.",
                            "status 214",
                            "value  int NULL",
                            "doneproc failed");
        }
    }

    @Test
    void oneStatementIsDescribedAndSeveralAreNot() {
        run("CREATE TABLE t (a int)");
        assertThat(prepare(session, "INSERT INTO t VALUES (@p)"))
                .containsExactly("doneinproc 0", "status 0", "value  int 1", "doneproc");
        assertThat(prepare(session, "SET @p = 1")).startsWith("doneinproc 0", "status 0");
        assertThat(prepare(session, "SET NOCOUNT ON")).startsWith("doneinproc", "status 0");
        for (String text : List.of(
                "SELECT @p; SELECT @p",
                "SET @p = @p + 1; SELECT @p",
                "EXEC sp_who",
                "IF 1 = 1 SELECT @p",
                "CREATE TABLE #t (a int); INSERT INTO #t VALUES (@p); SELECT a FROM #t")) {
            assertThat(prepare(session, text)).as(text).first().isEqualTo("status 8182");
        }
        assertThat(call("sp_execute", number(8), number(5)).rowLines()).containsExactly("5");
        run("SET NOCOUNT ON");
        assertThat(prepare(session, "SELECT @p AS x")).startsWith("columns x int", "doneinproc", "status 0");
        assertThat(rows("SELECT COUNT(*) FROM t")).containsExactly("0");
    }

    @Test
    void handleIsReturnedThoughTheExecutionFails() {
        assertThat(call("sp_prepexec", output(Types.INT), text("@p int"), text("SELECT 1 / @p AS x"), number(0))
                        .events())
                .contains("error 8134 16 line 1: Divide by zero error encountered.")
                .endsWith("status -6", "value  int 1", "doneproc failed");
        assertThat(call("sp_execute", number(1), number(1)).rowLines()).containsExactly("1");
    }

    @Test
    void executionThatEndsEverythingTellsOfNoHandle() {
        assertThat(call(
                                "sp_prepexec",
                                output(Types.INT),
                                text("@p nvarchar(9)"),
                                text("SELECT CAST(@p AS int) AS x"),
                                text("x"))
                        .events())
                .contains("doneproc failed")
                .noneMatch(event -> event.startsWith("value "));
        assertThat(call("sp_execute", number(1), text("7")).rowLines())
                .as("it is there nevertheless")
                .containsExactly("7");
    }

    @Test
    void handleThatWasNeverGivenIsNoOldHandle() {
        for (Integer old : new Integer[] {null, 0, -1, 7}) {
            assertThat(call("sp_prepexec", oldHandle(old), text("@p int"), text("SELECT @p AS x"), number(4))
                            .errors())
                    .isEmpty();
        }
        assertThat(engine.preparedHandles()).isEqualTo(4);
        assertThat(engine.handles().firstUnknown())
                .as("NULL, 0 and -1 mean none")
                .containsExactly("session 50: handle 7");
    }

    private static EngineSession.Parameter oldHandle(Integer handle) {
        return new EngineSession.Parameter("", Types.INT, handle, true, false);
    }

    @Test
    void cursorsCountTheirOwnHandles() {
        assertThat(prepareCursor().events()).contains("value  int 1073741825");
        assertThat(prepare(session, "SELECT @p AS x")).contains("value  int 1");
        assertThat(call("sp_execute", number(1_073_741_825), number(5)).events())
                .contains(NOT_FOUND.formatted(1_073_741_825));
        assertThat(openByHandle(1).errors().getFirst()).startsWith("error 8179 16 line 1 in sp_cursorexecute");
        assertThat(call("sp_cursorunprepare", number(1)).errors()).hasSize(1);
        for (String gives : List.of("sp_cursorunprepare", "sp_unprepare")) {
            assertThat(openByHandle(1_073_741_825).errors()).isEmpty();
            assertThat(call(gives, number(1_073_741_825)).errors()).isEmpty();
            assertThat(openByHandle(1_073_741_825).errors()).hasSize(1);
            session.reset(false, new Recording());
            prepareCursor();
        }
    }

    private Recording prepareCursor() {
        return call(
                "sp_cursorprepare",
                output(Types.INT),
                text("@p int"),
                text("SELECT @p AS x"),
                number(1),
                output(Types.INT),
                output(Types.INT));
    }

    private Recording openByHandle(int handle) {
        return call(
                "sp_cursorexecute",
                number(handle),
                output(Types.INT),
                output(Types.INT),
                output(Types.INT),
                output(Types.INT),
                number(3));
    }

    @Test
    void preparedCursorBelongsToItsContextToo() {
        call(
                "sp_cursorprepexec",
                output(Types.INT),
                output(Types.INT),
                text("@p int"),
                text("SELECT @p AS x"),
                output(Types.INT),
                output(Types.INT),
                output(Types.INT),
                number(1));
        run("SET ANSI_NULLS OFF");
        assertThat(openByHandle(1_073_741_825).errors().getFirst()).startsWith("error 586 16");
        session.reset(false, new Recording());
        assertThat(openByHandle(1_073_741_825).errors().getFirst()).startsWith("error 8179 16");
    }

    @Test
    void followsTheChangesOfItsTables() {
        run("CREATE TABLE t (a int NOT NULL); INSERT INTO t VALUES (1)");
        prepare(session, "SELECT * FROM t WHERE a = @p");
        assertThat(call("sp_execute", number(1), number(1)).events()).startsWith("columns a int not null", "row 1");
        run("DROP TABLE t; CREATE TABLE t (b varchar(9) NULL, a int NOT NULL); INSERT INTO t VALUES ('x', 1)");
        assertThat(call("sp_execute", number(1), number(1)).events())
                .startsWith("columns b varchar(9), a int not null", "row x|1");
        run("DROP TABLE t");
        assertThat(call("sp_execute", number(1), number(1)).errors().getFirst()).startsWith("error 208 16");
        assertThat(call("sp_unprepare", number(1)).errors()).isEmpty();
    }

    @Test
    void handleMadeInATextServesACall() {
        assertThat(rows("DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'@p int', N'SELECT @p * 3 AS x'; SELECT @h"))
                .containsExactly("1");
        assertThat(call("sp_execute", number(1), number(5)).rowLines()).containsExactly("15");
        assertThat(rows("EXEC sp_execute 1, 6")).containsExactly("18");
        assertThat(rows("EXEC sp_execute 1, @p = 7")).containsExactly("21");
    }

    @Test
    void textGoesOnAfterWhatCanNotBePreparedOrFound() {
        assertThat(events("DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'', N'SELECT 1 FROM nowhere'; SELECT @h"))
                .containsExactly(
                        "error 208 16 line 1: Invalid object name 'nowhere'.",
                        "error 8180 16 line 1: Statement(s) could not be prepared.",
                        "status 8180",
                        "doneproc",
                        "columns  int",
                        "row NULL",
                        "done 1");
        assertThat(events("DECLARE @r int; EXEC @r = sp_execute 7; SELECT @r"))
                .containsExactly(
                        "error 8179 16 line 1 in sp_execute: Could not find prepared statement with handle 7.",
                        "status 8179",
                        "doneproc",
                        "columns  int not null",
                        "row 8179",
                        "done 1");
        assertThat(rows("BEGIN TRY EXEC sp_execute 7 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH"))
                .containsExactly("8179");
    }

    @Test
    void failedStatementHasAnotherStatusForClientsThanForTexts() {
        prepare(session, "SELECT 1 / @p");
        assertThat(call("sp_execute", number(1), number(0)).events()).contains("status -6");
        assertThat(events("EXEC sp_execute 1, 0")).contains("status 8134");
        assertThat(call("sp_executesql", text("SELECT 1 / @p"), text("@p int"), number(0))
                        .events())
                .contains("status 8134");
    }

    @Test
    void callsOfProceduresArePreparedAndExecutedByOdbcsForm() {
        run("CREATE PROCEDURE twice @in int, @out int OUTPUT AS SET @out = @in * 2; SELECT @in AS x; RETURN 7");
        assertThat(call(
                                "sp_prepexecrpc",
                                output(Types.INT),
                                text("{call dbo.twice(?, ?)}"),
                                number(4),
                                output(Types.INT))
                        .events())
                .containsExactly(
                        "columns x int not null",
                        "row 4",
                        "doneinproc 1",
                        "status 7",
                        "value  int 1",
                        "value  int 8",
                        "doneproc");
        assertThat(call("sp_execute", number(1), number(5), output(Types.INT)).events())
                .endsWith("status 7", "value  int 10", "doneproc");
        assertThat(call(
                                "sp_prepexecrpc",
                                oldHandle(1),
                                text("{ ? = call twice(?,?) }"),
                                output(Types.INT),
                                number(6),
                                output(Types.INT))
                        .events())
                .endsWith("status 7", "value  int 2", "value  int 7", "value  int 12", "doneproc");
        assertThat(call("sp_execute", number(1), number(5), output(Types.INT)).events())
                .contains(NOT_FOUND.formatted(1));
    }

    @Test
    void preparesExecutionsAndUnknownHandlesAreCounted() {
        prepare(session, "SELECT @p AS x");
        call("sp_prepexec", output(Types.INT), text("@p int"), text("SELECT @p"), number(4));
        run("DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'@p int', N'SELECT @p'; EXEC sp_execute @h, 1;"
                + " EXEC sp_unprepare @h");
        call("sp_prepare", output(Types.INT), text("@p int"), text("SELECT @p FROM nowhere"));
        call("sp_execute", number(1), number(4));
        call("sp_execute", number(3), number(4));
        call("sp_unprepare", number(9));
        run("SET ANSI_NULLS OFF");
        call("sp_execute", number(1), number(4));
        assertThat(engine.handles())
                .isEqualTo(new HandleCounts(3, 2, 2, List.of("session 50: handle 3", "session 50: handle 9")));
    }
}
