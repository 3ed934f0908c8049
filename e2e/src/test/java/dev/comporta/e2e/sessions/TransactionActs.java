package dev.comporta.e2e.sessions;

import dev.comporta.tds.request.IsolationLevel;
import dev.comporta.tds.request.SystemProcedure;
import dev.comporta.tds.request.TransactionRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transactions, by every door. */
final class TransactionActs {
    private TransactionActs() {}

    static List<Act> acts() {
        return List.of(
                TransactionActs::whole,
                TransactionActs::whole,
                TransactionActs::whole,
                TransactionActs::byManager,
                TransactionActs::byManager,
                TransactionActs::implicit,
                Act.batch(TransactionActs::single),
                Act.batch(TransactionActs::oneBatch),
                TransactionActs::inProcedure);
    }

    private static String begin(Draw draw) {
        return draw.cased(draw.one("BEGIN TRAN", "BEGIN TRANSACTION", "begin tran outside"));
    }

    private static String commit(Draw draw) {
        return draw.cased(draw.one("COMMIT", "COMMIT TRAN", "COMMIT WORK", "IF @@TRANCOUNT > 0 COMMIT TRAN"));
    }

    private static String rollback(Draw draw) {
        return draw.cased(draw.one("ROLLBACK", "ROLLBACK TRANSACTION", "IF @@TRANCOUNT > 0 ROLLBACK TRAN"));
    }

    private static String work(Draw draw) {
        return draw.one(
                Rows.insert(draw),
                Rows.insert(draw),
                Rows.change(draw),
                Rows.read(draw),
                "SELECT @@TRANCOUNT",
                Rows.error(draw));
    }

    /** Request by request; with an inner one, a savepoint, an error, or no end. */
    private static List<Step> whole(Draw draw) {
        List<Step> steps = new ArrayList<>();
        if (draw.chance(20)) {
            steps.add(Step.batch("SET XACT_ABORT " + draw.one("ON", "OFF")));
        }
        steps.add(Step.batch(begin(draw)));
        steps.add(Step.batch(work(draw)));
        switch (draw.below(6)) {
            case 0 -> {
                steps.add(Step.batch("BEGIN TRAN inside"));
                steps.add(Step.batch(work(draw)));
                steps.add(Step.batch("COMMIT TRAN inside"));
            }
            case 1 -> {
                steps.add(Step.batch("SAVE TRANSACTION point"));
                steps.add(Step.batch(work(draw)));
                steps.add(Step.batch("ROLLBACK TRANSACTION point"));
            }
            case 2 -> steps.add(Step.batch(Settings.set(draw)));
            default -> {}
        }
        steps.add(Step.batch("SELECT @@TRANCOUNT, XACT_STATE()"));
        if (draw.chance(90)) {
            steps.add(Step.batch(draw.chance(65) ? commit(draw) : rollback(draw)));
        }
        steps.add(Step.batch("SELECT @@TRANCOUNT"));
        return steps;
    }

    private static String oneBatch(Draw draw) {
        return begin(draw) + "; " + work(draw) + "; " + (draw.chance(50) ? commit(draw) : rollback(draw))
                + "; SELECT @@TRANCOUNT";
    }

    private static String single(Draw draw) {
        return draw.one(begin(draw), commit(draw), rollback(draw), commit(draw), rollback(draw), "SAVE TRAN point");
    }

    private static List<Step> byManager(Draw draw) {
        if (!draw.version.hasAllHeaders()) {
            return whole(draw); // TDS 7.1 has no such requests
        }
        List<Step> steps = new ArrayList<>();
        steps.add(Step.manager(beginning(draw)));
        steps.add(Step.batch(work(draw)));
        if (draw.chance(30)) {
            steps.add(Step.manager(new TransactionRequest.Save("mark")));
            steps.add(Step.batch(work(draw)));
            steps.add(Step.manager(new TransactionRequest.Rollback("mark", null)));
        }
        TransactionRequest.@Nullable Begin next = draw.chance(15) ? beginning(draw) : null;
        steps.add(Step.manager(
                draw.chance(60) ? new TransactionRequest.Commit("", next) : new TransactionRequest.Rollback("", next)));
        steps.add(Step.batch("SELECT @@TRANCOUNT"));
        if (next != null && draw.chance(80)) {
            steps.add(Step.manager(new TransactionRequest.Commit("", null)));
        }
        return steps;
    }

    private static TransactionRequest.Begin beginning(Draw draw) {
        return new TransactionRequest.Begin(draw.one(IsolationLevel.values()), draw.one("", "", "named"));
    }

    private static List<Step> implicit(Draw draw) {
        List<Step> steps = new ArrayList<>();
        steps.add(Step.batch(draw.cased("SET IMPLICIT_TRANSACTIONS ON")));
        for (int i = draw.below(3); i >= 0; i--) {
            steps.add(Step.batch(work(draw)));
        }
        steps.add(Step.batch(draw.chance(70) ? commit(draw) : rollback(draw)));
        if (draw.chance(80)) {
            steps.add(Step.batch(draw.one(
                    "SET IMPLICIT_TRANSACTIONS OFF", "IF @@TRANCOUNT > 0 COMMIT TRAN; SET IMPLICIT_TRANSACTIONS OFF")));
        }
        steps.add(Step.batch("SELECT @@TRANCOUNT"));
        return steps;
    }

    /** Begun or ended where no text shows it. */
    private static List<Step> inProcedure(Draw draw) {
        List<Step> steps = new ArrayList<>();
        steps.add(draw.one(
                Step.batch("EXEC AppDB.dbo.begins"),
                Step.calls(Call.of("AppDB.dbo.begins")),
                Step.calls(Call.of(SystemProcedure.EXECUTE_SQL, Arg.text("BEGIN TRAN")))));
        steps.add(Step.batch(Rows.insert(draw)));
        steps.add(draw.one(
                Step.batch("EXEC AppDB.dbo.commits"),
                Step.calls(Call.of("AppDB.dbo.commits")),
                Step.batch("EXEC ('ROLLBACK')"),
                Step.batch("COMMIT")));
        steps.add(Step.batch("SELECT @@TRANCOUNT"));
        return steps;
    }
}
