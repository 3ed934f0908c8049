package dev.comporta.standin.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.standin.engine.type.Types;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose a prepared handle is, how long it lives, and where it may be used. */
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
                        "error 8179 16 line 1: Could not find prepared statement with handle 1.",
                        "done failed");
        assertThat(engine.preparedHandles()).isZero();
    }

    @Test
    void whatCanNotBeDescribedIsNotPrepared() {
        assertThat(call("sp_prepare", output(Types.INT), text("@p int"), text("SELECT @p FROM nowhere"), number(1))
                        .errors())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("error 8180");
        assertThat(engine.preparedHandles()).isZero();
        assertThat(prepare(session, "SELECT @p FROM nowhere")).contains("value  int 1");
    }

    @Test
    void allPreparesAreCounted() {
        prepare(session, "SELECT @p AS x");
        call("sp_prepexec", output(Types.INT), text("@p int"), text("SELECT @p"), number(4));
        run(
                "DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'@p int', N'SELECT @p'; EXEC sp_execute @h, 1; EXEC sp_unprepare @h");
        call("sp_prepare", output(Types.INT), text("@p int"), text("SELECT FROM"));
        assertThat(engine.prepares()).isEqualTo(3);
    }
}
