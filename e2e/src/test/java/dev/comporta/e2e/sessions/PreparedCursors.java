package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import java.util.ArrayList;
import java.util.List;

/** Prepared cursors: sp_cursorprepare, sp_cursorprepexec, sp_cursorexecute, sp_cursorunprepare. */
final class PreparedCursors {
    private static final int FORWARD_ONLY = 0x4;
    private static final int STATIC = 0x8;
    private static final int AUTO_FETCH = 0x2000;
    private static final int AUTO_CLOSE = 0x4000;
    private static final String TEXT = "SELECT n FROM AppDB.dbo.ten WHERE n > @p ORDER BY n";

    private PreparedCursors() {}

    /** None on Babelfish: rows of sp_cursorfetch have a value there that no COLMETADATA describes. */
    static List<Act> acts(Draw draw) {
        return draw.isBabelfish()
                ? List.of()
                : List.of(
                        PreparedCursors::prepare,
                        PreparedCursors::prepareAndOpen,
                        PreparedCursors::prepareAndOpen,
                        PreparedCursors::open,
                        PreparedCursors::unprepare,
                        PreparedCursors::otherKind);
    }

    private static int scroll(Draw draw) {
        return draw.one(STATIC, FORWARD_ONLY, STATIC | AUTO_FETCH, FORWARD_ONLY | AUTO_FETCH | AUTO_CLOSE);
    }

    private static Arg number(int value) {
        return Arg.out(TypeInfo.intN(4), value);
    }

    private static Call open(Draw draw, int prepared, int cursor) {
        Call call = Call.of(
                SystemProcedure.CURSOR_EXECUTE,
                Arg.handle(prepared),
                Arg.newHandle(cursor),
                number(scroll(draw)),
                number(1),
                number(draw.one(0, 3, 20)),
                Arg.integer(draw.below(8)));
        return draw.chance(30) ? call.byName() : call;
    }

    private static List<Step> prepare(Draw draw) {
        int prepared = draw.newHandle();
        draw.preparedCursors.add(prepared);
        List<Step> steps = new ArrayList<>();
        steps.add(Step.calls(Call.of(
                SystemProcedure.CURSOR_PREPARE,
                Arg.newHandle(prepared),
                Arg.text("@p int"),
                Arg.text(TEXT),
                Arg.integer(1),
                number(STATIC),
                number(1))));
        steps.addAll(used(draw, prepared));
        return steps;
    }

    /** Opened by its handle, fetched from, and closed mostly. */
    private static List<Step> used(Draw draw, int prepared) {
        int cursor = draw.newCursor();
        List<Step> steps = new ArrayList<>();
        steps.add(Step.calls(open(draw, prepared, cursor)));
        steps.addAll(fetched(draw, cursor));
        return steps;
    }

    private static List<Step> fetched(Draw draw, int cursor) {
        List<Step> steps = new ArrayList<>();
        for (int i = draw.below(3); i > 0; i--) {
            steps.add(Step.calls(Leftovers.fetch(cursor, 1 + draw.below(5))));
        }
        if (draw.chance(75)) {
            steps.add(Step.calls(Leftovers.close(cursor)));
            steps.add(Step.batch(Probes.state(draw)));
        }
        return steps;
    }

    private static List<Step> prepareAndOpen(Draw draw) {
        int prepared = draw.newHandle();
        int cursor = draw.newCursor();
        draw.preparedCursors.add(prepared);
        Call call = Call.of(
                SystemProcedure.CURSOR_PREP_EXEC,
                Arg.newHandle(prepared),
                Arg.newHandle(cursor),
                Arg.text("@p int"),
                Arg.text(draw.chance(10) ? "SELECT n FROM nowhere WHERE n > @p" : TEXT),
                number(scroll(draw)),
                number(1),
                number(draw.one(0, 3, 20)),
                Arg.integer(draw.below(5)));
        List<Step> steps = new ArrayList<>();
        steps.add(Step.calls(draw.chance(30) ? call.byName() : call));
        steps.addAll(fetched(draw, cursor));
        if (draw.chance(50)) {
            steps.addAll(used(draw, prepared));
        }
        return steps;
    }

    private static List<Step> open(Draw draw) {
        return used(draw, draw.someHandle(draw.preparedCursors));
    }

    private static List<Step> unprepare(Draw draw) {
        int handle = draw.someHandle(draw.preparedCursors);
        draw.preparedCursors.removeIf(known -> known == handle);
        Call call = Call.of(
                draw.one(SystemProcedure.CURSOR_UNPREPARE, SystemProcedure.CURSOR_UNPREPARE, SystemProcedure.UNPREPARE),
                Arg.handle(draw.givingUp(handle)));
        return List.of(
                Step.calls(draw.chance(30) ? call.byName() : call), Step.calls(open(draw, handle, draw.newCursor())));
    }

    /** A handle of one kind means nothing to the procedures of the other. */
    private static List<Step> otherKind(Draw draw) {
        int statement = draw.newHandle();
        int cursor = draw.newHandle();
        draw.prepared.add(statement);
        draw.preparedCursors.add(cursor);
        return List.of(
                Step.calls(Prepares.prepare(
                        draw, statement, new PreparedText("SELECT @p", "@p int", List.of(Arg.integer(1))))),
                Step.calls(Call.of(
                        SystemProcedure.CURSOR_PREPARE,
                        Arg.newHandle(cursor),
                        Arg.text("@p int"),
                        Arg.text(TEXT),
                        Arg.integer(1),
                        number(STATIC),
                        number(1))),
                Step.calls(Prepares.execute(draw, cursor, List.of(Arg.integer(3)))),
                Step.calls(open(draw, statement, draw.newCursor())),
                Step.calls(Call.of(SystemProcedure.CURSOR_UNPREPARE, Arg.handle(statement))),
                Step.calls(Prepares.execute(draw, statement, List.of(Arg.integer(3)))));
    }
}
