package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import java.util.ArrayList;
import java.util.List;

/** Prepared statements: sp_prepare, sp_prepexec, sp_execute, sp_unprepare, by number, by name and as text. */
final class Prepares {
    /** @param arguments those of the statement itself */
    private record Prepared(String text, String declaration, List<Arg> arguments) {}

    private Prepares() {}

    static List<Act> acts() {
        return List.of(
                Prepares::prepare,
                Prepares::prepareAndExecute,
                Prepares::prepareAndExecute,
                Prepares::execute,
                Prepares::execute,
                Prepares::whole,
                Prepares::several,
                Prepares::preparedTogether,
                Prepares::unprepare,
                Prepares::unprepareByText,
                Prepares::never,
                Prepares::byText,
                Prepares::elsewhere);
    }

    private static Prepared statement(Draw draw) {
        Sample sample = Sample.draw(draw);
        return switch (draw.below(8)) {
            case 0, 1, 2 -> new Prepared("SELECT @p AS p", "@p " + sample.declaration(), List.of(sample.arg()));
            case 3 ->
                new Prepared(
                        "INSERT INTO AppDB.dbo.ledger (client, entry, note) VALUES (" + draw.client
                                + ", @e, N'prepared')",
                        "@e int",
                        List.of(Arg.integer(draw.entry())));
            case 4 ->
                new Prepared(
                        "SET @o = @p + 1; SELECT @o",
                        "@p int, @o int OUTPUT",
                        List.of(Arg.integer(draw.below(100)), Arg.out(TypeInfo.intN(4), null)));
            case 5 ->
                new Prepared("SELECT " + draw.below(100) + " / @p", "@p int", List.of(Arg.integer(draw.below(3))));
            case 6 ->
                new Prepared(
                        draw.one(
                                "SELECT DB_NAME(), @p",
                                "SELECT entry, note FROM ledger WHERE client = @p ORDER BY entry"),
                        "@p int",
                        List.of(Arg.integer(draw.client)));
            default ->
                new Prepared(
                        draw.one(
                                "SELEC @p",
                                "SELECT @p FROM nowhere",
                                "SET NOCOUNT ON; SELECT @p",
                                "SET DATEFIRST 3; SELECT @@DATEFIRST, @p",
                                "BEGIN TRAN; SELECT @p",
                                "SELECT @p; SELECT @@TRANCOUNT"),
                        "@p int",
                        List.of(Arg.integer(draw.below(9))));
        };
    }

    private static Call maybeByName(Draw draw, Call call) {
        return draw.chance(30) ? call.byName() : call;
    }

    private static Call prepare(Draw draw, int handle, Prepared statement) {
        List<Arg> args = new ArrayList<>(
                List.of(Arg.newHandle(handle), Arg.text(statement.declaration), Arg.text(statement.text)));
        if (draw.chance(60)) {
            args.add(Arg.integer(draw.below(2)));
        }
        return maybeByName(draw, Call.of(SystemProcedure.PREPARE, args));
    }

    /** @param handle an old one that the new one takes the place of, or a new one */
    private static Call prepareAndExecute(Draw draw, int handle, Prepared statement) {
        List<Arg> args = new ArrayList<>(
                List.of(Arg.newHandle(handle), Arg.text(statement.declaration), Arg.text(statement.text)));
        args.addAll(statement.arguments);
        return maybeByName(draw, Call.of(SystemProcedure.PREP_EXEC, args));
    }

    private static Call execute(Draw draw, int handle, List<Arg> arguments) {
        List<Arg> args = new ArrayList<>(List.of(Arg.handle(handle)));
        args.addAll(arguments);
        return maybeByName(draw, Call.of(SystemProcedure.EXECUTE, args));
    }

    private static Call unprepare(Draw draw, int handle) {
        return maybeByName(draw, Call.of(SystemProcedure.UNPREPARE, Arg.handle(handle)));
    }

    private static List<Step> prepare(Draw draw) {
        int handle = draw.newHandle();
        Prepared statement = statement(draw);
        draw.prepared.add(handle);
        return List.of(
                Step.calls(prepare(draw, handle, statement)), Step.calls(execute(draw, handle, statement.arguments)));
    }

    private static List<Step> prepareAndExecute(Draw draw) {
        int handle = !draw.prepared.isEmpty() && draw.chance(30) ? draw.one(draw.prepared) : draw.newHandle();
        draw.prepared.add(handle);
        Prepared statement = statement(draw);
        List<Step> steps = new ArrayList<>(List.of(Step.calls(prepareAndExecute(draw, handle, statement))));
        for (int i = draw.below(3); i > 0; i--) {
            steps.add(Step.calls(execute(draw, handle, statement.arguments)));
        }
        return steps;
    }

    /** Of whatever was prepared, with whatever arguments. */
    private static List<Step> execute(Draw draw) {
        return List.of(Step.calls(execute(draw, draw.someHandle(draw.prepared), statement(draw).arguments)));
    }

    /** Prepared, executed, given up: the session is free again. */
    private static List<Step> whole(Draw draw) {
        int handle = draw.newHandle();
        Prepared statement = statement(draw);
        return List.of(
                Step.calls(prepareAndExecute(draw, handle, statement)),
                Step.calls(execute(draw, handle, statement.arguments)),
                Step.calls(unprepare(draw, handle)),
                Step.batch(Probes.state(draw)),
                Step.calls(execute(draw, handle, statement.arguments)));
    }

    /** Several calls in one message, as batches of drivers are. */
    private static List<Step> several(Draw draw) {
        int handle = draw.newHandle();
        List<Integer> others = List.copyOf(draw.prepared);
        draw.prepared.add(handle);
        Prepared statement = statement(draw);
        List<Call> calls = new ArrayList<>();
        for (int i = draw.below(3); i >= 0; i--) {
            calls.add(execute(draw, handle, statement.arguments));
        }
        if (draw.chance(30)) {
            calls.add(draw.below(calls.size() + 1), execute(draw, Handles.NEVER_GIVEN, statement.arguments));
        }
        if (draw.chance(30)) {
            calls.addFirst(unprepare(draw, draw.givingUp(draw.someHandle(others))));
        }
        if (draw.chance(30)) {
            calls.add(prepareAndExecute(draw, draw.newHandle(), statement(draw)));
        }
        return List.of(Step.calls(prepare(draw, handle, statement)), Step.calls(calls.toArray(Call[]::new)));
    }

    /** Two in one message: both handles are the session's from then on. */
    private static List<Step> preparedTogether(Draw draw) {
        int first = draw.newHandle();
        int second = draw.newHandle();
        Prepared statement = statement(draw);
        Prepared other = statement(draw);
        draw.prepared.add(first);
        draw.prepared.add(second);
        return List.of(
                Step.calls(prepareAndExecute(draw, first, statement), prepareAndExecute(draw, second, other)),
                Step.batch(Probes.state(draw)),
                Step.calls(execute(draw, first, statement.arguments), execute(draw, second, other.arguments)));
    }

    private static List<Step> unprepare(Draw draw) {
        return List.of(Step.calls(unprepare(draw, draw.givingUp(draw.someHandle(draw.prepared)))));
    }

    /** As mssql-jdbc does. */
    private static List<Step> unprepareByText(Draw draw) {
        StringBuilder text = new StringBuilder();
        for (int i = draw.below(3); i >= 0; i--) {
            text.append("EXEC sp_unprepare ")
                    .append(Handles.place(draw.givingUp(draw.someHandle(draw.prepared))))
                    .append(";");
        }
        return List.of(Step.batch(text.toString()));
    }

    private static List<Step> never(Draw draw) {
        return List.of(draw.one(
                Step.calls(execute(draw, Handles.NEVER_GIVEN, List.of(Arg.integer(1)))),
                Step.calls(unprepare(draw, Handles.NEVER_GIVEN)),
                Step.batch("EXEC sp_execute " + Handles.place(Handles.NEVER_GIVEN)),
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
        Prepared statement = statement(draw);
        return List.of(
                Step.calls(prepareAndExecute(draw, handle, statement)),
                Step.batch(draw.one(
                        "USE Other", "SET QUOTED_IDENTIFIER OFF", "SET ANSI_NULLS OFF", "SET QUOTED_IDENTIFIER ON")),
                Step.calls(execute(draw, handle, statement.arguments)),
                Step.batch(draw.one("USE AppDB", "SET QUOTED_IDENTIFIER ON", "SET ANSI_NULLS ON")),
                Step.calls(execute(draw, handle, statement.arguments)));
    }
}
