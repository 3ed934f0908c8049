package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.type.TypeInfo;
import java.util.ArrayList;
import java.util.List;

/** Work on the session's own rows, errors of all kinds, USE, procedures. */
final class Rows {
    private Rows() {}

    static List<Act> acts() {
        return List.of(
                Act.batch(Rows::insert),
                Act.batch(Rows::insert),
                Act.batch(Rows::change),
                Act.batch(Rows::read),
                Act.batch(Rows::read),
                Act.batch(Rows::identity),
                Act.batch(Rows::counts),
                Act.batch(Rows::error),
                Act.batch(Rows::error),
                Act.batch(Rows::use),
                Act.batch(Rows::procedure),
                Act.batch(draw -> "SELECT " + draw.below(1000) + " AS n"),
                Act.batch(draw -> "EXEC (" + Draw.quoted(draw.one(insert(draw), change(draw), error(draw))) + ")"),
                Rows::remoteText,
                Rows::remoteProcedure,
                Rows::leftForTheNextRequest);
    }

    private static String ledger(Draw draw) {
        // Without its database it is there only as long as the session is where it believes to be.
        return draw.chance(40) ? "ledger" : "AppDB.dbo.ledger";
    }

    static String insert(Draw draw) {
        StringBuilder rows = new StringBuilder();
        for (int i = draw.below(3); i >= 0; i--) {
            rows.append(rows.isEmpty() ? "" : ", ")
                    .append("(" + draw.client + ", " + draw.entry() + ", N'note " + draw.below(100) + "')");
        }
        return "INSERT INTO " + ledger(draw) + " (client, entry, note) VALUES " + rows;
    }

    static String change(Draw draw) {
        return draw.one(
                "UPDATE " + ledger(draw) + " SET note = N'changed " + draw.below(100) + "' WHERE client = "
                        + draw.client + " AND entry " + draw.one("=", "<", ">=") + " " + draw.oldEntry(),
                "DELETE FROM " + ledger(draw) + " WHERE client = " + draw.client + " AND entry = " + draw.oldEntry());
    }

    static String read(Draw draw) {
        return draw.one(
                "SELECT entry, note FROM " + ledger(draw) + " WHERE client = " + draw.client + " ORDER BY entry",
                "SELECT COUNT(*) FROM " + ledger(draw) + " WHERE client = " + draw.client);
    }

    private static String identity(Draw draw) {
        return "INSERT INTO AppDB.dbo.ident (client) VALUES (" + draw.client + "); " + lastIdentity(draw);
    }

    /** Which number it is depends on what others do; whether it is the session's own does not. */
    private static String lastIdentity(Draw draw) {
        String value = draw.one("SCOPE_IDENTITY()", "@@IDENTITY");
        return "SELECT CASE WHEN " + value + " IS NULL THEN 'none' WHEN " + value
                + " = (SELECT MAX(id) FROM AppDB.dbo.ident WHERE client = " + draw.client
                + ") THEN 'mine' ELSE 'other' END";
    }

    private static String counts(Draw draw) {
        return draw.one(insert(draw), change(draw), "SELECT 1 / 0") + "; SELECT @@ROWCOUNT, @@ERROR";
    }

    /** Of several severities, some of which end the statement, the batch, or the transaction. */
    static String error(Draw draw) {
        return draw.one(
                "RAISERROR('message of severity %d', " + draw.one(0, 1, 9, 10, 11, 14, 16, 18) + ", "
                        + (1 + draw.below(9)) + ", 7)",
                "SELECT 1 / 0",
                "SELECT CAST('x' AS int)",
                "SELECT * FROM nowhere",
                "SELEC 1",
                "EXEC no_such_procedure",
                "SELECT @undeclared",
                "THROW 50001, N'thrown', 3",
                "INSERT INTO AppDB.dbo.ledger (client, entry) VALUES (" + draw.client + ", -1), (" + draw.client
                        + ", -1)",
                "BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE() END CATCH",
                "BEGIN TRY " + insert(draw)
                        + "; THROW 50002, N'in try', 1 END TRY BEGIN CATCH IF XACT_STATE() = -1 ROLLBACK END CATCH",
                "PRINT 'only a message'",
                insert(draw) + "; SELECT CAST('x' AS int); " + insert(draw),
                insert(draw) + "; RAISERROR('here', 16, 1); SELECT @@ERROR");
    }

    private static String use(Draw draw) {
        return draw.one(
                "EXEC ('USE Other; SELECT DB_NAME()')",
                "EXEC sp_executesql N'USE master'",
                "USE Other",
                "USE AppDB",
                "USE [Other]",
                "use master",
                "USE nowhere",
                "USE Other; SELECT DB_NAME()");
    }

    private static String procedure(Draw draw) {
        return draw.one(
                "EXEC AppDB.dbo.adds_row " + draw.client + ", " + draw.entry(),
                "DECLARE @n int; EXEC AppDB.dbo.gives_back " + draw.below(50) + ", @n OUTPUT; SELECT @n",
                "EXEC AppDB.dbo.sets_options",
                "EXEC AppDB.dbo.fails " + draw.one(1, 2, 3),
                "EXEC AppDB.dbo.makes_table");
    }

    private static List<Step> remoteText(Draw draw) {
        Sample sample = Sample.draw(draw);
        List<Arg> args = new ArrayList<>(List.of(
                Arg.text("SELECT @p AS p, @n AS n; SET @n = @n + 1"),
                Arg.text("@p " + sample.declaration() + ", @n int OUTPUT"),
                sample.arg(),
                Arg.out(TypeInfo.intN(4), draw.below(100))));
        if (draw.chance(40)) {
            args.set(2, args.get(2).named("@p"));
            args.set(3, args.get(3).named("@n"));
        }
        Call call = Call.of(SystemProcedure.EXECUTE_SQL, args);
        return List.of(Step.calls(draw.chance(30) ? call.byName() : call));
    }

    private static List<Step> remoteProcedure(Draw draw) {
        return List.of(Step.calls(draw.one(
                Call.of("AppDB.dbo.adds_row", Arg.integer(draw.client), Arg.integer(draw.entry())),
                Call.of("AppDB.dbo.gives_back", Arg.integer(5), Arg.out(TypeInfo.intN(4), null)),
                Call.of(
                        "AppDB.dbo.gives_back",
                        Arg.out(TypeInfo.intN(4), null).named("@out"),
                        Arg.integer(3).named("@n")),
                Call.of("AppDB.dbo.sets_options"),
                Call.of("AppDB.dbo.fails", Arg.integer(draw.one(1, 2, 3))),
                Call.of(SystemProcedure.EXECUTE_SQL, Arg.text("USE Other; SELECT DB_NAME()")),
                Call.of("no_such_procedure"))));
    }

    /** Promised with {@code pin_identity} alone (docs/scanner.md, PREVIOUS_REQUEST). */
    private static List<Step> leftForTheNextRequest(Draw draw) {
        Step first = Step.batch("INSERT INTO AppDB.dbo.ident (client) VALUES (" + draw.client + ")");
        if (!draw.keepsResults) {
            return List.of(first);
        }
        return List.of(first, Step.batch(draw.one(lastIdentity(draw), "SELECT @@ROWCOUNT")));
    }
}
