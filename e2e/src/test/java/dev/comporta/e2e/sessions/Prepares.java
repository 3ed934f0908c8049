package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Prepared statements: sp_prepare, sp_prepexec, sp_execute, sp_unprepare, by number, by name and as text. */
final class Prepares {
    private Prepares() {}

    static List<Act> acts() {
        return List.of(
                Prepares::prepare,
                Prepares::prepareAndExecute,
                Prepares::prepareAndExecute,
                Prepares::replace,
                Prepares::execute,
                Prepares::execute,
                Prepares::again,
                Prepares::whole,
                Prepares::several,
                Prepares::several,
                Prepares::preparedTogether,
                Prepares::takenBack,
                Prepares::unprepare,
                Prepares::unprepareByText,
                Prepares::never,
                Prepares::byText,
                Prepares::elsewhere,
                Prepares::elsewhereWithNothingBetween,
                Prepares::tableChanges);
    }

    private static Call maybeByName(Draw draw, Call call) {
        if (!draw.chance(30)) {
            return call;
        }
        String name = SystemProcedure.name(call.procedure());
        return call.byName(draw.one(name, name, "sys." + name, name.toUpperCase(Locale.ROOT)));
    }

    static Call prepare(Draw draw, int handle, PreparedText statement) {
        List<Arg> args = new ArrayList<>(
                List.of(Arg.newHandle(handle), Arg.text(statement.declaration()), Arg.text(statement.text())));
        if (draw.chance(60)) {
            args.add(Arg.integer(draw.one(1, 1, 1, 0)));
        }
        return maybeByName(draw, Call.of(SystemProcedure.PREPARE, args));
    }

    /** @param old a handle to give up for the new one, or {@link Handles#NOT_A_HANDLE} */
    private static Call prepareAndExecute(Draw draw, int old, int handle, PreparedText statement) {
        List<Arg> args = new ArrayList<>(
                List.of(Arg.newHandle(old, handle), Arg.text(statement.declaration()), Arg.text(statement.text())));
        args.addAll(statement.arguments());
        return maybeByName(draw, Call.of(SystemProcedure.PREP_EXEC, args));
    }

    static Call prepareAndExecute(Draw draw, int handle, PreparedText statement) {
        return prepareAndExecute(draw, Handles.NOT_A_HANDLE, handle, statement);
    }

    static Call execute(Draw draw, int handle, List<Arg> arguments) {
        List<Arg> args = new ArrayList<>(List.of(Arg.handle(handle)));
        args.addAll(arguments);
        return maybeByName(draw, Call.of(SystemProcedure.EXECUTE, args));
    }

    private static Call unprepare(Draw draw, int handle) {
        return maybeByName(draw, Call.of(SystemProcedure.UNPREPARE, Arg.handle(handle)));
    }

    /**
     * Calls in one message; but before TDS 7.2 nobody can tell a new handle from another call's first output parameter
     * (docs/prepared-statements.md), and so they are sent one by one.
     */
    private static List<Step> message(Draw draw, Call... calls) {
        long returning = Arrays.stream(calls)
                .filter(call -> call.args().stream().anyMatch(Arg::output))
                .count();
        return draw.version.hasAllHeaders() || returning < 2
                ? List.of(Step.calls(calls))
                : Arrays.stream(calls).map(Step::calls).toList();
    }

    private static List<Step> prepare(Draw draw) {
        int handle = draw.newHandle();
        PreparedText statement = PreparedText.draw(draw);
        draw.prepared.add(handle);
        return List.of(
                Step.calls(prepare(draw, handle, statement)), Step.calls(execute(draw, handle, statement.arguments())));
    }

    private static List<Step> prepareAndExecute(Draw draw) {
        int handle = draw.newHandle();
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        List<Step> steps = new ArrayList<>(List.of(Step.calls(prepareAndExecute(draw, handle, statement))));
        for (int i = draw.below(3); i > 0; i--) {
            steps.add(Step.calls(execute(draw, handle, statement.arguments())));
        }
        return steps;
    }

    /** The new statement's handle takes the place of an old one, which may be one that the session does not have. */
    private static List<Step> replace(Draw draw) {
        int old = draw.someHandle(draw.prepared);
        int handle = draw.newHandle();
        PreparedText statement = PreparedText.draw(draw);
        Step first = Step.calls(prepareAndExecute(draw, old, handle, statement));
        draw.givingUp(old);
        draw.prepared.add(handle);
        return Handles.PINNED
                ? List.of(first)
                : List.of(
                        first,
                        Step.calls(execute(draw, handle, statement.arguments())),
                        Step.calls(execute(draw, old, statement.arguments())));
    }

    /** Of whatever was prepared, with whatever arguments. */
    private static List<Step> execute(Draw draw) {
        return List.of(Step.calls(execute(
                draw, draw.someHandle(draw.prepared), PreparedText.draw(draw).arguments())));
    }

    /** One statement, many times, with others' requests between. */
    private static List<Step> again(Draw draw) {
        int handle = draw.newHandle();
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        List<Step> steps = new ArrayList<>(List.of(Step.calls(prepare(draw, handle, statement))));
        for (int i = 2 + draw.below(4); i > 0; i--) {
            steps.add(Step.calls(execute(draw, handle, statement.arguments())));
            if (draw.chance(40)) {
                steps.add(Step.batch(draw.one(Probes.state(draw), Settings.set(draw), Rows.insert(draw))));
            }
        }
        return steps;
    }

    /** Prepared, executed, given up: the session is free again. */
    private static List<Step> whole(Draw draw) {
        int handle = draw.newHandle();
        PreparedText statement = PreparedText.draw(draw);
        return List.of(
                Step.calls(prepareAndExecute(draw, handle, statement)),
                Step.calls(execute(draw, handle, statement.arguments())),
                Step.calls(unprepare(draw, draw.givingUp(handle))),
                Step.batch(Probes.state(draw)),
                Step.calls(execute(draw, handle, statement.arguments())));
    }

    /** Several calls in one message, as batches of drivers are. */
    private static List<Step> several(Draw draw) {
        int handle = draw.newHandle();
        List<Integer> others = List.copyOf(draw.prepared);
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        List<Call> calls = new ArrayList<>();
        for (int i = draw.below(draw.one(3, 3, 12)); i >= 0; i--) {
            calls.add(execute(draw, handle, statement.arguments()));
        }
        if (draw.chance(30)) {
            calls.add(draw.below(calls.size() + 1), execute(draw, Handles.NEVER_GIVEN, statement.arguments()));
        }
        // Babelfish executes a handle in any database, and the proxy among several calls only where it can be prepared.
        if (!others.isEmpty() && !draw.isBabelfish() && draw.chance(40)) {
            PreparedText other = PreparedText.draw(draw);
            calls.add(draw.below(calls.size() + 1), execute(draw, draw.one(others), other.arguments()));
        }
        if (draw.chance(30)) {
            calls.addFirst(unprepare(draw, draw.givingUp(draw.someHandle(others))));
        }
        if (draw.chance(30)) {
            int another = draw.newHandle();
            draw.prepared.add(another);
            calls.add(prepareAndExecute(draw, another, PreparedText.draw(draw)));
        }
        if (draw.chance(20)) {
            calls.add(Call.of(SystemProcedure.EXECUTE_SQL, Arg.text(Probes.state(draw))));
        }
        List<Step> steps = new ArrayList<>(List.of(Step.calls(prepare(draw, handle, statement))));
        steps.addAll(message(draw, calls.toArray(Call[]::new)));
        return steps;
    }

    /** Two in one message: both handles are the session's from then on. */
    private static List<Step> preparedTogether(Draw draw) {
        int first = draw.newHandle();
        int second = draw.newHandle();
        PreparedText statement = PreparedText.draw(draw);
        PreparedText other = PreparedText.draw(draw);
        draw.prepared.add(first);
        draw.prepared.add(second);
        return List.of(
                Step.calls(prepareAndExecute(draw, first, statement), prepare(draw, second, other)),
                Step.batch(Probes.state(draw)),
                Step.calls(execute(draw, first, statement.arguments()), execute(draw, second, other.arguments())));
    }

    /** Calls that are not carried out: nothing is prepared, executed or given up by them. */
    private static List<Step> takenBack(Draw draw) {
        if (draw.isBabelfish() || !draw.version.hasAllHeaders()) {
            return List.of(); // it does not know such messages, and TDS 7.1 has none
        }
        int handle = draw.newHandle();
        int never = draw.newHandle();
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        return List.of(
                Step.calls(prepareAndExecute(draw, handle, statement)),
                Step.calls(
                        draw.one(
                                        prepare(draw, never, statement),
                                        execute(draw, handle, statement.arguments()),
                                        unprepare(draw, handle))
                                .takenBack(),
                        execute(draw, handle, statement.arguments())),
                Step.calls(execute(draw, handle, statement.arguments())));
    }

    private static List<Step> unprepare(Draw draw) {
        int handle = draw.someHandle(draw.prepared);
        return List.of(Step.calls(unprepare(draw, draw.givingUp(handle))));
    }

    /** As mssql-jdbc does. */
    private static List<Step> unprepareByText(Draw draw) {
        StringBuilder text = new StringBuilder();
        for (int i = draw.below(3); i >= 0; i--) {
            int handle = draw.someHandle(draw.prepared);
            text.append("EXEC sp_unprepare ")
                    .append(Handles.place(draw.givingUp(handle)))
                    .append(";");
        }
        return List.of(Step.batch(text.toString()));
    }

    private static List<Step> never(Draw draw) {
        return List.of(draw.one(
                Step.calls(execute(draw, Handles.NEVER_GIVEN, List.of(Arg.integer(1)))),
                Step.calls(unprepare(draw, Handles.NEVER_GIVEN)),
                Step.calls(execute(draw, Handles.NEVER_GIVEN, List.of()), unprepare(draw, Handles.NEVER_GIVEN)),
                Step.batch("EXEC sp_execute " + Handles.place(Handles.NEVER_GIVEN)),
                Step.batch("EXEC sp_unprepare " + Handles.place(Handles.NEVER_GIVEN)),
                Step.calls(Call.of(SystemProcedure.EXECUTE, Arg.of(TypeInfo.intN(4), null), Arg.integer(1))),
                Step.calls(Call.of(SystemProcedure.EXECUTE, Arg.integer(-1), Arg.integer(1))),
                Step.calls(Call.of(SystemProcedure.UNPREPARE, Arg.of(TypeInfo.intN(4), null)))));
    }

    private static List<Step> byText(Draw draw) {
        return List.of(Step.batch(
                "DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'@p int', N'SELECT @p, DB_NAME()'; EXEC sp_execute @h, "
                        + draw.below(9) + "; " + draw.one("", "EXEC sp_unprepare @h")));
    }

    /** A handle belongs to the database and to two options in which it was prepared: error 586. */
    private static List<Step> elsewhere(Draw draw) {
        int handle = draw.newHandle();
        draw.prepared.add(handle);
        PreparedText statement = PreparedText.draw(draw);
        return List.of(
                Step.calls(prepareAndExecute(draw, handle, statement)),
                Step.batch(elsewhereBy(draw)),
                Step.calls(execute(draw, handle, statement.arguments())),
                Step.batch(draw.one("USE AppDB", "SET QUOTED_IDENTIFIER ON", "SET ANSI_NULLS ON")),
                Step.calls(execute(draw, handle, statement.arguments())),
                Step.calls(unprepare(draw, draw.chance(30) ? draw.givingUp(handle) : Handles.NEVER_GIVEN)));
    }

    private static String elsewhereBy(Draw draw) {
        return draw.one(
                "USE Other",
                "SET QUOTED_IDENTIFIER OFF",
                "SET ANSI_NULLS OFF",
                "SET ANSI_NULLS, QUOTED_IDENTIFIER OFF",
                "SET QUOTED_IDENTIFIER ON",
                "SET ANSI_DEFAULTS OFF",
                "EXEC ('SET ANSI_NULLS OFF')");
    }

    /** The context changes and changes back; and one handle is of each context. */
    private static List<Step> elsewhereWithNothingBetween(Draw draw) {
        if (draw.isBabelfish()) {
            return List.of();
        }
        int here = draw.newHandle();
        int there = draw.newHandle();
        draw.prepared.add(here);
        draw.prepared.add(there);
        PreparedText statement = PreparedText.draw(draw);
        List<Step> steps = new ArrayList<>();
        steps.add(Step.calls(prepare(draw, here, statement)));
        steps.add(Step.batch("USE Other"));
        steps.addAll(message(draw, prepare(draw, there, statement), execute(draw, here, statement.arguments())));
        steps.add(Step.calls(execute(draw, there, statement.arguments())));
        steps.add(Step.batch("USE AppDB"));
        steps.add(Step.calls(execute(draw, here, statement.arguments()), execute(draw, there, statement.arguments())));
        return steps;
    }

    /** A prepared statement follows its tables. */
    private static List<Step> tableChanges(Draw draw) {
        String table = "AppDB.dbo.changes" + draw.client;
        int handle = draw.newHandle();
        Call execution = execute(draw, handle, List.of(Arg.integer(1)));
        PreparedText statement =
                new PreparedText("SELECT * FROM " + table + " WHERE a >= @p", "@p int", List.of(Arg.integer(0)));
        return List.of(
                // A table that is made in a transaction would keep others from theirs until that ends.
                Step.batch("SET NOEXEC OFF; SET IMPLICIT_TRANSACTIONS OFF; IF @@TRANCOUNT > 0 ROLLBACK; CREATE TABLE "
                        + table + " (a int NOT NULL); INSERT INTO " + table + " VALUES (1)"),
                Step.calls(prepareAndExecute(draw, handle, statement)),
                Step.batch(draw.one(
                        "ALTER TABLE " + table + " ADD b nvarchar(9) NULL",
                        "DROP TABLE " + table + "; CREATE TABLE " + table + " (c bigint NULL, a int NOT NULL)")),
                Step.calls(execution),
                Step.batch("DROP TABLE " + table),
                Step.calls(execution),
                Step.calls(unprepare(draw, draw.givingUp(handle))));
    }
}
