package dev.comporta.e2e.sessions;

import java.util.ArrayList;
import java.util.List;

/** Cancels and resets. */
final class Disturbances {
    private Disturbances() {}

    static List<Act> acts() {
        return List.of(
                Disturbances::cancelled,
                Disturbances::cancelledHalfWay,
                Disturbances::cancelledTooLate,
                Disturbances::givenUp,
                Disturbances::reset,
                Disturbances::reset,
                Disturbances::resetByName,
                Disturbances::resetWithTransaction);
    }

    /** Longer than any test; Babelfish hears of the cancel only afterwards. */
    static String wait(Draw draw) {
        return "WAITFOR DELAY '" + (draw.isBabelfish() ? "00:00:00.010" : "00:01:00") + "'";
    }

    private static List<Step> cancelled(Draw draw) {
        if (draw.isBabelfish()) {
            return List.of(); // it runs to its end there, and not at all if it was still in the proxy's queue
        }
        return List.of(Step.batch(wait(draw)).with(Step.Interruption.AT_ONCE), Step.batch(Probes.state(draw)));
    }

    /** The message says how far it has come, so that the cancel comes at the same place each time. */
    private static List<Step> cancelledHalfWay(Draw draw) {
        String first = draw.one(Rows.insert(draw), Settings.set(draw), "BEGIN TRAN; " + Rows.insert(draw), "SELECT 1");
        // A long line of the message's own fills a packet, so that what came before is out, too.
        return List.of(
                Step.batch(first + "; RAISERROR('now', 0, 1) WITH NOWAIT; " + wait(draw) + "; " + Rows.insert(draw))
                        .with(draw.isBabelfish() ? Step.Interruption.WHEN_OVER : Step.Interruption.AFTER_FIRST_PACKET),
                Step.batch(draw.one("SELECT @@TRANCOUNT", Probes.everything(draw), Rows.read(draw))));
    }

    private static List<Step> cancelledTooLate(Draw draw) {
        return List.of(
                Step.batch(draw.one(Probes.state(draw), Rows.insert(draw))).with(Step.Interruption.WHEN_OVER));
    }

    private static List<Step> givenUp(Draw draw) {
        if (draw.isBabelfish()) {
            return List
                    .of(); // it runs there directly, and through the proxy only if it was sent on before it was taken
            // back
        }
        return List.of(
                Step.batch(draw.one(Rows.insert(draw), Settings.set(draw), "BEGIN TRAN"))
                        .with(Step.Interruption.GIVEN_UP),
                Step.batch(Probes.state(draw)));
    }

    /**
     * What has to be before a reset on Babelfish, whose reset keeps the database, and the count of a transaction whose work
     * it undoes; the proxy does what is documented of SQL Server, and so directly something else would be seen.
     */
    static List<Step> afterPreparation(Draw draw, Step... steps) {
        draw.forgetHandles();
        List<Step> all = new ArrayList<>();
        if (draw.isBabelfish()) {
            all.add(Step.batch(
                    "SET NOEXEC OFF; SET IMPLICIT_TRANSACTIONS OFF; IF @@TRANCOUNT > 0 ROLLBACK; USE AppDB"));
        }
        all.addAll(List.of(steps));
        return draw.canReset() ? all : List.of();
    }

    private static List<Step> reset(Draw draw) {
        return afterPreparation(
                draw,
                Step.batch(draw.one(Probes.everything(draw), "DBCC USEROPTIONS", Settings.set(draw), Rows.insert(draw)))
                        .with(Step.Reset.RESET));
    }

    private static List<Step> resetByName(Draw draw) {
        return afterPreparation(draw, Step.batch("EXEC sp_reset_connection"), Step.batch(Probes.everything(draw)));
    }

    private static List<Step> resetWithTransaction(Draw draw) {
        if (draw.isBabelfish()) {
            return List.of(); // @@TRANCOUNT stays 1 without a transaction, and SKIPTRAN is an error there
        }
        // SKIPTRAN came with TDS 7.3.
        boolean skips = draw.version.hasDateTypes() && draw.chance(60);
        return afterPreparation(
                draw,
                Step.batch("BEGIN TRAN; " + Rows.insert(draw)),
                Step.batch("SELECT @@TRANCOUNT").with(skips ? Step.Reset.RESET_SKIPPING_TRANSACTION : Step.Reset.RESET),
                Step.batch(draw.one("COMMIT", "IF @@TRANCOUNT > 0 ROLLBACK")),
                Step.batch(Rows.read(draw)));
    }
}
