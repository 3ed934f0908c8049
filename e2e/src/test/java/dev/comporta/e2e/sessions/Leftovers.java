package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import java.util.ArrayList;
import java.util.List;

/** What a session has that can't follow it: temporary tables, cursors, locks, context. */
final class Leftovers {
    private static final int FORWARD_ONLY = 0x4;
    private static final int STATIC = 0x8;
    private static final int AUTO_FETCH = 0x2000;
    private static final int AUTO_CLOSE = 0x4000;
    private static final int FETCH_NEXT = 0x2;

    private Leftovers() {}

    static List<Act> acts() {
        return List.of(
                Leftovers::table,
                Leftovers::table,
                Act.batch(Leftovers::useTable),
                Leftovers::dropInTransaction,
                Act.batch(Leftovers::globalTable),
                Leftovers::textCursor,
                Leftovers::serverCursor,
                Leftovers::serverCursor,
                Act.batch(Leftovers::context),
                Leftovers::remoteContext,
                Leftovers::lock,
                Act.batch(draw -> draw.leavingTraces("EXEC AppDB.dbo.leaves_context " + draw.below(200))),
                draw -> List.of(Step.calls(
                        Call.of(draw.leavingTraces("AppDB.dbo.leaves_context"), Arg.integer(draw.below(200))))));
    }

    /**
     * What a procedure leaves unseen. Its caller may or may not find it (docs/scanner.md, Procedures) and must not ask;
     * nobody else may find it. Not so on Babelfish, whose reset keeps it (docs/decisions/0019).
     */
    static List<Act> quietActs(Draw draw) {
        return draw.isBabelfish()
                ? List.of()
                : List.of(
                        Act.batch(d -> "EXEC AppDB.dbo.leaves_quietly " + d.below(200)),
                        Act.batch(d -> "INSERT INTO AppDB.dbo.ident (client) VALUES (" + d.client + ")"),
                        d -> List.of(Step.calls(Call.of("AppDB.dbo.leaves_quietly", Arg.integer(d.below(200))))));
    }

    /** What leaves nothing although it looks like it. */
    static List<Act> harmlessActs() {
        return List.of(
                Act.batch(draw -> "CREATE TABLE #t0 (a int); INSERT INTO #t0 VALUES (" + draw.below(9)
                        + "); SELECT a FROM #t0; DROP TABLE #t0"),
                Act.batch(draw -> "EXEC ('CREATE TABLE #t1 (a int); SELECT a FROM #t1')"),
                Act.batch(draw -> "EXEC AppDB.dbo.makes_table"),
                Act.batch(draw ->
                        "DECLARE c CURSOR LOCAL FOR SELECT n FROM AppDB.dbo.ten ORDER BY n; OPEN c; FETCH NEXT FROM c"),
                Act.batch(draw ->
                        "BEGIN TRAN; CREATE TABLE #t0 (a int); DROP TABLE #t0; " + draw.one("COMMIT", "ROLLBACK")),
                draw -> List.of(Step.calls(open(
                        draw.newCursor(),
                        STATIC | AUTO_FETCH | AUTO_CLOSE,
                        100,
                        "SELECT n FROM AppDB.dbo.ten ORDER BY n"))));
    }

    static String lock(Draw draw, int number) {
        return "lock " + draw.client + " " + number;
    }

    private static String name(Draw draw) {
        return draw.one("#t0", "#t1");
    }

    private static List<Step> table(Draw draw) {
        String name = name(draw);
        String make = draw.one(
                "CREATE TABLE " + name + " (a int, b nvarchar(20))",
                "SELECT n AS a, N'x' AS b INTO " + name + " FROM AppDB.dbo.ten WHERE n < 4",
                "IF 1 = 1 CREATE TABLE " + name + " (a int, b nvarchar(20))");
        return List.of(Step.batch(make), Step.batch(useTable(draw)));
    }

    private static String useTable(Draw draw) {
        String name = name(draw);
        return draw.one(
                "INSERT INTO " + name + " (a, b) VALUES (" + draw.below(9) + ", N'b')",
                "SELECT a, b FROM " + name + " ORDER BY a",
                "SELECT COUNT(*) FROM " + name,
                "DROP TABLE " + name,
                "DROP TABLE IF EXISTS " + name);
    }

    private static List<Step> dropInTransaction(Draw draw) {
        String name = name(draw);
        List<Step> steps = new ArrayList<>();
        steps.add(Step.batch("CREATE TABLE " + name + " (a int, b nvarchar(20))"));
        steps.add(Step.batch("BEGIN TRAN"));
        steps.add(Step.batch("DROP TABLE " + name));
        steps.add(Step.batch(draw.one("ROLLBACK", "COMMIT", "IF @@TRANCOUNT > 0 ROLLBACK")));
        steps.add(Step.batch("SELECT a FROM " + name));
        return steps;
    }

    private static String globalTable(Draw draw) {
        String name = "##g" + draw.client;
        return draw.one("CREATE TABLE " + name + " (a int)", "SELECT * FROM " + name, "DROP TABLE " + name);
    }

    private static List<Step> textCursor(Draw draw) {
        String name = draw.one("c0", "c1");
        List<Step> steps = new ArrayList<>();
        steps.add(Step.batch("DECLARE " + name + " CURSOR " + draw.one("GLOBAL", "", "GLOBAL SCROLL STATIC")
                + " FOR SELECT n FROM AppDB.dbo.ten ORDER BY n"));
        steps.add(Step.batch("OPEN " + name));
        for (int i = draw.below(3); i >= 0; i--) {
            steps.add(Step.batch("FETCH NEXT FROM " + name + draw.one("", "; SELECT @@FETCH_STATUS")));
        }
        if (draw.chance(70)) {
            steps.add(Step.batch("CLOSE " + name + "; DEALLOCATE " + name));
        }
        return steps;
    }

    private static Call open(int handle, int scroll, int rows, String text) {
        return Call.of(
                SystemProcedure.CURSOR_OPEN,
                Arg.newHandle(handle),
                Arg.text(text),
                Arg.out(TypeInfo.intN(4), scroll),
                Arg.out(TypeInfo.intN(4), 1),
                Arg.out(TypeInfo.intN(4), rows));
    }

    static Call fetch(int handle, int rows) {
        return Call.of(
                SystemProcedure.CURSOR_FETCH,
                Arg.handle(handle),
                Arg.integer(FETCH_NEXT),
                Arg.integer(0),
                Arg.integer(rows));
    }

    static Call close(int handle) {
        return Call.of(SystemProcedure.CURSOR_CLOSE, Arg.handle(handle));
    }

    private static List<Step> serverCursor(Draw draw) {
        if (draw.isBabelfish()) {
            return List.of(); // rows of sp_cursorfetch have a value there that no COLMETADATA describes
        }
        int handle = draw.newCursor();
        List<Step> steps = new ArrayList<>();
        steps.add(Step.calls(open(
                handle,
                draw.one(STATIC, FORWARD_ONLY, STATIC | AUTO_FETCH, FORWARD_ONLY | AUTO_FETCH | AUTO_CLOSE),
                draw.one(0, 3, 20),
                "SELECT n FROM AppDB.dbo.ten ORDER BY n")));
        for (int i = draw.below(3); i >= 0; i--) {
            steps.add(Step.calls(fetch(handle, 1 + draw.below(5))));
        }
        if (draw.chance(70)) {
            steps.add(Step.calls(close(handle)));
            steps.add(Step.batch(Probes.state(draw)));
        }
        if (draw.chance(30)) {
            steps.add(Step.calls(fetch(draw.one(handle, Handles.NEVER_GIVEN), 1)));
        }
        return steps;
    }

    private static String context(Draw draw) {
        return draw.leavingTraces(draw.one(
                "SET CONTEXT_INFO 0x" + (10 + draw.below(80)),
                "DECLARE @c varbinary(128) = 0x" + (10 + draw.below(80)) + "; SET CONTEXT_INFO @c",
                "EXEC sp_set_session_context N'a', N'" + draw.below(99) + "'",
                "EXEC sp_set_session_context @key = N'b', @value = " + draw.below(99) + ", @read_only = "
                        + draw.below(2),
                "EXEC ('SET CONTEXT_INFO 0x77')"));
    }

    private static List<Step> remoteContext(Draw draw) {
        return List.of(Step.calls(Call.of(
                draw.leavingTraces("sp_set_session_context"),
                Arg.text(draw.one("a", "b")),
                Arg.text("v" + draw.below(99)))));
    }

    private static List<Step> lock(Draw draw) {
        int number = draw.below(2);
        String owner = number == 0 ? "Session" : "Transaction";
        String get = "EXEC sp_getapplock @Resource = '" + lock(draw, number) + "', @LockMode = '"
                + draw.one("Exclusive", "Shared") + "', @LockOwner = '" + owner + "', @LockTimeout = 0";
        List<Step> steps = new ArrayList<>();
        if (number == 1) {
            steps.add(Step.batch("BEGIN TRAN"));
        }
        steps.add(
                draw.chance(70)
                        ? Step.batch(get)
                        : Step.calls(Call.of(
                                "sp_getapplock",
                                Arg.text(lock(draw, number)),
                                Arg.text("Exclusive"),
                                Arg.text(owner),
                                Arg.integer(0))));
        steps.add(Step.batch("SELECT APPLOCK_MODE('public', '" + lock(draw, number) + "', '" + owner + "')"));
        if (draw.chance(50)) {
            steps.add(Step.batch(
                    "EXEC sp_releaseapplock @Resource = '" + lock(draw, number) + "', @LockOwner = '" + owner + "'"));
        }
        if (number == 1) {
            steps.add(Step.batch("COMMIT"));
        }
        return steps;
    }
}
